import type { Answered } from '../../harness/checks/acceptance.ts';
import { byOthers, type CheckApi, type CheckResult, type CheckRun } from '../../harness/checks/check.ts';
import { given, groupedBy } from '../../harness/contract/collections.ts';
import { ACT_AS, actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { personVariable } from '../../harness/contract/people.ts';
import type { Acting } from '../../harness/plan/credentials.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { queryOperations } from './shared/breadth.ts';
import { decideEach } from './shared/decision.ts';
import { baseOf, isOfIssued, refusalsOf, refusalsWithoutToken } from './shared/refusals.ts';
import { stays } from './shared/stays.ts';

const CONNECTIONS = 6;

/** A request gets the same outcome first or later, in any order, alone or beside others. */
export async function repetition(api: CheckApi): Promise<readonly CheckResult[]> {
  const samples: PlannedCase[] = [];
  const accepted: { readonly planned: PlannedCase; readonly answer: Answered }[] = [];
  for (const planned of sampleOf(api)) {
    const { answer, judgement } = await api.send(planned, `${planned.id} gets its answer alone`);
    // The matrix blames a case that is answered wrongly when sent alone. Any 2xx is a control (outcomes 2).
    if (judgement && judgement.kind !== 'miss') samples.push(planned);
    if (answer.accepted) accepted.push({ planned, answer });
  }
  const again = (connection: CheckApi, planned: PlannedCase, how: string) => {
    const own = connection.fork();
    const beside = accepted.find((one) => isControlOf(api, one.planned, planned));
    const ask = () => own.send(planned, `${planned.id} gets the same when ${how}`);
    return stays({ api: own, planned, how: `${how} (seed ${api.seed})`, ask, beside: () => beside?.answer });
  };
  const connections = Array.from({ length: CONNECTIONS }, () => api.connect());
  const results: CheckResult[] = [];
  for (const planned of [...samples].reverse())
    results.push(...(await again(connections[0] ?? api, planned, 'sent again in another order')));
  const together = await decideEach(samples, (planned, at) =>
    again(connections[at % CONNECTIONS] ?? api, planned, `sent beside ${samples.length - 1} others`),
  );
  // Each of them got its answer alone.
  return [...results, ...together].map(byOthers);
}

/** For every kind its well-made request, one request with a single fault, which the seed chooses, and what controls that. */
function sampleOf(api: CheckApi): readonly PlannedCase[] {
  const { contract, plan, seed, claims } = api;
  const single = [...plan.cases.values()].filter(
    ({ values, expectation }) =>
      expectation.kind === 'refuse' &&
      expectation.suspects.length <= 1 &&
      values.body === 'valid' &&
      // Where a header is left open too, a refusal may be about that header and passes nothing.
      expectation.silent.length === 0,
  );
  const denials = groupedBy(single, ({ values }) => values.kind);
  const chosen = [...denials.values()].flatMap((cases, index) => cases[Math.abs(seed + index) % cases.length] ?? []);
  const wellMade = claims.kinds.flatMap((kind) => api.planned(contract.operations[0].id, kind, {}) ?? []);
  // A request without an issued token has no kind of its own to be accepted with, and one of a kind that never reaches the
  // operation has none that is accepted there.
  const controls = chosen.flatMap(({ values }) => {
    const kinds = claims.kinds.includes(values.kind) ? [values.kind, ...claims.kinds] : claims.kinds;
    return kinds.flatMap((kind) => api.planned(values.operation, kind, {}) ?? []).slice(0, 1);
  });
  return [...new Set([...wellMade, ...controls, ...chosen])];
}

/**
 * Whether an accepted request gives a refusal its meaning: the same operation, and the same kind if it has a token that the
 * operation accepts at all, or its control.
 */
function isControlOf(api: CheckApi, accepted: PlannedCase, { values, control }: PlannedCase): boolean {
  const isIssued = values.family !== 'none' && values.family !== 'unknown';
  const hasToken = isIssued && api.barred(values.operation, values.kind) === undefined;
  return (
    accepted.values.operation === values.operation &&
    (!hasToken || accepted.values.kind === values.kind || accepted.id === control)
  );
}

/**
 * What must be refused to a GLOBAL token is refused for either person (outcomes 2), and who no longer exists is nobody
 * (outcomes 5). The matrix acts as ACT_AS_EMAIL and UNKNOWN_EMAIL.
 */
export const eitherPerson: CheckRun = async (api) => {
  const { contract, claims, people } = api;
  const kinds = claims.kinds.filter((kind) => actsAs(contract, kind));
  const others = (['user', 'former'] as const).filter((person) => people[person] !== undefined);
  const reached = (kind: string) => queryOperations(contract).filter(({ id }) => !api.barred(id, kind));
  const units = kinds.flatMap((kind) =>
    reached(kind).flatMap((operation) => others.map((acting) => ({ kind, operation, acting }))),
  );
  return decideEach(units, ({ operation, kind, acting }) => stayRefused(api.spread(), operation, kind, acting));
};

async function stayRefused(api: CheckApi, operation: Operation, kind: string, acting: Acting): Promise<CheckResult[]> {
  const { contract, people } = api;
  const isUser = acting === 'user';
  const base = baseOf(api, kind, isUser ? people.user : people.actAs);
  if (!base.credential) return [];
  const refusals = isUser ? refusalsAsUser(api, operation, kind) : given([api.planned(operation.id, kind, NOBODY)]);
  const variable = (owner: string) => `$${personVariable(contract, owner)}`;
  const shows = `${operation.id} with the ${kind} token that acts as ${variable(isUser ? 'USER' : 'ACT_AS')} is accepted`;
  const accepted = await api.callOnce({ operation, ...base, shows, wanted: 'accepted' }, 'any body');
  const how = `acting as ${variable(isUser ? 'USER' : 'FORMER')}`;
  const results: CheckResult[] = [];
  for (const planned of refusals) {
    const own = api.fork();
    const ask = () => own.send(planned, `${planned.id}, ${how}, is refused`, acting);
    const plainly = () => own.send(planned, `${planned.id} is refused`);
    results.push(...(await stays({ api: own, planned, how, ask, plainly, beside: () => accepted })));
  }
  return results;
}

const NOBODY = { [ACT_AS]: 'unknown' };

/**
 * What reads a token that nobody issued knows neither its kind nor, as a rule, the operation. So without the whole breadth, it
 * is tried once, and no tampered token, which is one that nobody issued.
 */
function refusalsAsUser(api: CheckApi, operation: Operation, kind: string): readonly PlannedCase[] {
  const ofUser = refusalsOf(api, operation, kind).filter(({ acting }) => acting === 'user');
  const withoutToken = refusalsWithoutToken(api, operation, kind);
  const isWhole = api.breadth === 'whole';
  return [
    ...ofUser.filter((one) => isWhole || isOfIssued(one)),
    ...withoutToken.filter((one) => isWhole || (one.kind === 'unknown' && !operation.isSlow)),
  ].map(({ planned }) => planned);
}
