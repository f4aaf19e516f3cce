import type { Answered } from '../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult, CheckRun } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Acting } from '../../harness/plan/credentials.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { peopleActedAs } from './shared/breadth.ts';
import { type Decided, decideEach, decisionOn, inconclusive, pass } from './shared/decision.ts';
import { isInHeader, refusalsOf } from './shared/refusals.ts';

/** An accepted request does not authorize later requests on its connection. */
export const sequences: CheckRun = (api) =>
  decideEach(api.claims.kinds, (kind) =>
    decideEach(api.contract.operations, (operation) =>
      decideEach(peopleActedAs(api, kind), async (acting) => {
        const on: Connection = { api: api.connect(), acting, before: [], lastAccepted: undefined };
        const results: CheckResult[] = [];
        for (const planned of sequenceOf(api, operation, kind)) results.push(...(await decide(on, planned)));
        return results;
      }),
    ),
  );

/** An acceptance, a refusal, an acceptance, and all other refusals between it and the last acceptance. */
function sequenceOf(api: CheckApi, operation: Operation, kind: string): readonly PlannedCase[] {
  const accepted = api.planned(operation.id, kind, {});
  const refusals = refusalsOf(api, operation, kind).filter(({ acting }) => acting !== 'user');
  // What is missing from a request may be taken from the one before.
  const [first, ...others] = [...refusals].sort((a, b) => Number(isInHeader(b)) - Number(isInHeader(a)));
  if (!accepted || !first) return [];
  return [accepted, first.planned, accepted, ...others.map(({ planned }) => planned), accepted];
}

/** What was sent over a connection until now, and the last answer that accepted a request. */
interface Connection {
  readonly api: CheckApi;
  readonly acting: Acting;
  readonly before: PlannedCase[];
  lastAccepted: Answered | undefined;
}

async function decide(on: Connection, planned: PlannedCase): Promise<CheckResult[]> {
  const { before, acting } = on;
  const earlier = [...before];
  const api = on.api.fork();
  const last = earlier.at(-1);
  const { answer, judgement } = await api.send(planned, `${planned.id} after ${last?.id ?? 'nothing'}`, acting);
  before.push(planned);
  if (answer.accepted) on.lastAccepted = answer;
  const unit = { operation: planned.values.operation, kind: planned.values.kind };
  const [first] = planned.expectation.suspects;
  if (!first) return [];
  const decided = (found: Decided, requirement = first.requirement) => [
    decisionOn(api, { ...unit, requirement }, found),
  ];
  if (!judgement) return decided(inconclusive('no answer on a connection that other requests used before'));
  if (judgement.kind !== 'miss') {
    const detail = `${planned.id} on a connection that other requests used before`;
    return decided(pass(on.lastAccepted && (await api.acceptance(on.lastAccepted)), detail));
  }
  // The matrix blames a case that misses on its own. This check adds only what the connection changes.
  if (await missesAlone(api, planned, acting)) return [];
  // A wrong acceptance counts at once. A wrong refusal must come again after the same requests (outcomes 3).
  if (!judgement.wronglyAccepted && !(await missesAgain(on, planned, earlier))) {
    const detail = `${planned.id} was refused once after other requests on its connection; it did not happen again`;
    return decided(inconclusive(detail));
  }
  const { wanted, got } = judgement;
  const suspect = judgement.suspects[0] ?? first;
  const detail = `${planned.id}, sent after ${last?.id ?? 'nothing'} on the same connection: wanted ${wanted}, got ${got}`;
  const verdict = suspect.level === 'must' ? 'fail' : 'warn';
  return decided({ verdict, broke: answer, detail, wanted, got }, suspect.requirement);
}

async function missesAgain(
  { api, acting }: Connection,
  planned: PlannedCase,
  before: readonly PlannedCase[],
): Promise<boolean> {
  const connection = api.connect();
  for (const earlier of before) await connection.send(earlier, 'the requests before come again', acting);
  const { judgement } = await connection.send(planned, `${planned.id} gets the same answer again`, acting);
  return judgement?.kind === 'miss';
}

async function missesAlone(api: CheckApi, planned: PlannedCase, acting: Acting): Promise<boolean> {
  const shows = `${planned.id} gets the same answer on a new connection`;
  const { judgement } = await api.connect().send(planned, shows, acting);
  return judgement?.kind === 'miss';
}
