import { type Acceptance, outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Acting } from '../../harness/plan/credentials.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { kindsOfFamilies, peopleActedAs } from './shared/breadth.ts';
import { confirmCase } from './shared/confirm.ts';
import { blame, type Decided, decideEach, decisionOn, fail, inconclusive, pass } from './shared/decision.ts';
import { refusalsOf } from './shared/refusals.ts';

const CONNECTIONS = 6;

interface Sample {
  readonly api: CheckApi;
  readonly planned: PlannedCase;
  readonly acceptance: Acceptance | undefined;
  /** The status that it gets when sent alone. */
  readonly alone: number;
}

/** A request gets the same outcome first or later, in any order, alone or beside others. */
export async function repetition(api: CheckApi): Promise<readonly CheckResult[]> {
  const samples: Sample[] = [];
  for (const planned of sampleOf(api)) {
    const own = api.fork();
    const { answer, judgement } = await own.send(planned, `${planned.id} gets its answer alone`);
    const { observation } = answer;
    // The matrix blames a case that is answered wrongly when sent alone.
    if (observation.kind === 'answer' && judgement && judgement.kind !== 'miss')
      samples.push({
        api: own,
        planned,
        acceptance: await api.acceptance(answer),
        alone: observation.status,
      });
  }
  const wrong = new Map<string, CheckResult>();
  const connections = Array.from({ length: CONNECTIONS }, () => api.connect());
  const note = async (connection: CheckApi, sample: Sample, when: string) => {
    const { id } = sample.planned;
    const found = await sendAgain(connection, sample, when);
    if (found && (wrong.get(id)?.verdict ?? 'inconclusive') === 'inconclusive') wrong.set(id, found);
  };
  for (const sample of [...samples].reverse()) await note(connections[0] ?? api, sample, 'sent again in another order');
  await Promise.all(
    samples.map((sample, index) =>
      note(connections[index % CONNECTIONS] ?? api, sample, `sent beside ${samples.length - 1} others`),
    ),
  );
  return samples.map(({ api: own, planned, alone }): CheckResult => {
    const { operation, kind } = planned.values;
    const unit = { requirement: planned.expectation.suspects[0]?.requirement ?? '', operation, kind };
    const control = samples.find(({ acceptance, planned: other }) => acceptance && isControlOf(other, planned));
    const detail = `${planned.id}: ${alone} alone, again and beside others (seed ${api.seed})`;
    return wrong.get(planned.id) ?? decisionOn(own, unit, pass(control?.acceptance, detail));
  });
}

/** For every kind its well-made request, one request with a single fault, which the seed chooses, and what controls that. */
function sampleOf(api: CheckApi): PlannedCase[] {
  const { contract, plan, seed, claims } = api;
  const [operation] = contract.operations;
  const denials = new Map<string, PlannedCase[]>();
  for (const planned of plan.cases.values()) {
    const { values, expectation } = planned;
    if (expectation.kind !== 'refuse' || expectation.suspects.length > 1 || values.body !== 'valid') continue;
    // Where a header is left open too, a refusal may be about that header and passes nothing.
    if (expectation.silent.length > 0) continue;
    denials.set(values.kind, [...(denials.get(values.kind) ?? []), planned]);
  }
  const chosen = [...denials.values()].flatMap((cases, index) => cases[Math.abs(seed + index) % cases.length] ?? []);
  const wellMade = claims.kinds.flatMap((kind) => api.planned(operation?.id ?? '', kind, {}) ?? []);
  const controls = chosen.flatMap(({ values }) => {
    // A request without an issued token has no kind of its own to be accepted with.
    const kind = claims.kinds.find((claimed) => claimed === values.kind) ?? claims.kinds[0];
    return kind === undefined ? [] : (api.planned(values.operation, kind, {}) ?? []);
  });
  return [...new Set([...wellMade, ...controls, ...chosen])];
}

/** Whether an accepted request gives a refusal its meaning: the same operation, and the same kind if it has a token. */
function isControlOf(accepted: PlannedCase, { values }: PlannedCase): boolean {
  const hasToken = values.family !== 'none' && values.family !== 'unknown';
  return accepted.values.operation === values.operation && (!hasToken || accepted.values.kind === values.kind);
}

/** Sends a case again. Returns undefined if it gets a right answer. */
async function sendAgain(
  connection: CheckApi,
  { planned, alone }: Sample,
  when: string,
): Promise<CheckResult | undefined> {
  const { operation, kind } = planned.values;
  const api = connection.fork();
  const found = await confirmCase(() => api.send(planned, `${planned.id} gets the same when ${when}`));
  const unit = { requirement: planned.expectation.suspects[0]?.requirement ?? '', operation, kind };
  const gets = (what: string) => `${planned.id} gets ${alone} alone, but ${what} when ${when} (seed ${api.seed})`;
  switch (found.kind) {
    case 'right':
      return undefined;
    case 'lost':
      return decisionOn(api, unit, inconclusive(gets(found.why)));
    case 'fleeting':
    case 'wrong': {
      const { suspects, level, wanted, got } = found.miss;
      const verdict = level === 'must' ? 'fail' : 'warn';
      const requirement = found.kind === 'wrong' ? (suspects[0]?.requirement ?? unit.requirement) : unit.requirement;
      const decided = blame(found.kind, { verdict, broke: found.answer, detail: gets(got), wanted, got });
      return decisionOn(api, { ...unit, requirement }, decided);
    }
  }
}

/**
 * Twelve acceptances and twelve refusals of two requests over one connection. Two of each in turn, so that every tenth and
 * every twentieth request includes a refusal, and so that a refusal follows an acceptance and another refusal.
 */
const ROUNDS = 6;
const TIMES_A_ROUND = 2;

/** A refusal holds every time, also after acceptances on its connection. */
export async function everyTime(api: CheckApi): Promise<readonly CheckResult[]> {
  const operation = api.contract.operations.find(({ isSlow }) => !isSlow);
  return decideEach(operation ? kindsOfFamilies(api) : [], (kind) =>
    decideEach(peopleActedAs(api, kind), async (acting) => {
      const accepted = operation && api.planned(operation.id, kind, {});
      const refused = operation && refusalsOf(api, operation, kind)[0]?.planned;
      return accepted && refused ? [await repeat(api.connect().fork(), { accepted, refused, acting })] : [];
    }),
  );
}

/** Two cases, and who a GLOBAL token acts as in both. */
interface Pair {
  readonly accepted: PlannedCase;
  readonly refused: PlannedCase;
  readonly acting: Acting;
}

async function repeat(api: CheckApi, pair: Pair): Promise<CheckResult> {
  const { operation, kind } = pair.refused.values;
  const requirement = pair.refused.expectation.suspects[0]?.requirement ?? '';
  const decided = await decide(api, pair);
  return decisionOn(api, { requirement, operation, kind }, decided);
}

async function decide(api: CheckApi, { accepted, refused, acting }: Pair): Promise<Decided> {
  let control: CheckAnswer | undefined;
  let times = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let time = 0; time < TIMES_A_ROUND; time += 1) {
      const { answer } = await api.send(accepted, 'a documented request is accepted every time', acting);
      control = answer.accepted ? answer : control;
    }
    for (let time = 0; time < TIMES_A_ROUND; time += 1) {
      times += 1;
      const { answer, judgement } = await api.send(refused, `${refused.id} is refused every time`, acting);
      const outcome = outcomeOf(answer);
      // After a request without an answer, the others would wait as long.
      if (outcome.kind === 'lost') return inconclusive(outcome.why);
      if (outcome.kind === 'accepted')
        return fail(answer, `${refused.id} got ${outcome.status} at time ${times}, between accepted requests`);
      // The matrix blames a wrong refusal. Here it shows nothing.
      if (judgement?.kind === 'miss')
        return inconclusive(`${refused.id}: wanted ${judgement.wanted}, got ${judgement.got}`);
    }
    if (!control) return inconclusive(`${accepted.id} is not accepted, so its refusals show nothing`);
  }
  return pass(control && (await api.acceptance(control)), `${refused.id} was refused ${times} times out of ${times}`);
}
