import type { Check, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import type { Acting } from '../../harness/plan/credentials.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { kindsOfFamilies, peopleActedAs } from './shared/breadth.ts';
import { type Decided, decideEach, decisionOn, fail, inconclusive, pass } from './shared/decision.ts';
import { refusalsOf } from './shared/refusals.ts';

/**
 * Twelve acceptances and twelve refusals of two requests over one connection. Two of each in turn, so that every tenth and
 * every twentieth request includes a refusal, and so that a refusal follows an acceptance and another refusal.
 */
const ROUNDS = 6;
const TIMES_A_ROUND = 2;

/** A refusal holds every time, also after acceptances on its connection. */
export const everyTime: Check = {
  id: 'every-time',
  title: 'An expired token is refused twelve times out of twelve between accepted requests',
  requirements: ['token.expired', 'token.tampered'],
  intrusive: false,
  async run(api) {
    const operation = api.contract.operations.find(({ isSlow }) => !isSlow);
    return decideEach(operation ? kindsOfFamilies(api) : [], (kind) =>
      decideEach(peopleActedAs(api, kind), async (acting) => {
        const accepted = operation && api.planned(operation.id, kind, {});
        const refused = operation && refusalsOf(api, operation, kind)[0]?.planned;
        return accepted && refused ? [await repeat(api.connect().fork(), { accepted, refused, acting })] : [];
      }),
    );
  },
};

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
