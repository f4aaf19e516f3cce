import { type Answered, outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult, Judged } from '../../../harness/checks/check.ts';
import type { PlannedCase } from '../../../harness/plan/plan.ts';
import { type Assessment, confirm } from './confirm.ts';
import { blame, type Decided, decisionOn, inconclusive, pass } from './decision.ts';

/** A case of the plan that is asked otherwise than the matrix asks. */
export interface Asked {
  /** Everything that it sends is a step of the decision. */
  readonly api: CheckApi;
  readonly planned: PlannedCase;
  /** How it is asked, in words that follow the id of the case. */
  readonly how: string;
  readonly ask: () => Promise<Judged>;
  /** Asks once more after a wrong refusal. By default the same. */
  readonly again?: () => Promise<Judged>;
  /** Asks as the matrix does. What is wrong then too is blamed there, unless the matrix got a refusal, and nothing is decided. */
  readonly plainly?: () => Promise<Judged>;
  /** The answer beside which a refusal means something, once the case was asked. */
  readonly beside: () => Answered | undefined;
}

/**
 * A refusal stays a refusal and an acceptance stays an acceptance, however they are asked for. A wrong acceptance counts at
 * once, a wrong refusal if it comes every time (outcomes 3).
 */
export async function stays(asked: Asked): Promise<readonly CheckResult[]> {
  const { api, planned, how, ask, again = ask, plainly, beside } = asked;
  const { suspects, kind: wanted } = planned.expectation;
  const { operation, kind } = planned.values;
  const decided = (one: Decided, requirement = suspects[0]?.requirement ?? '') => [
    decisionOn(api, { requirement, operation, kind }, one),
  ];
  const what = `${planned.id} ${how}`;
  const acceptance = async () => {
    const answer = beside();
    return answer && (await api.acceptance(answer));
  };
  const first = await ask();
  if (first.judgement?.kind === 'miss') {
    // A target that accepts nothing beside it may refuse it for that reason.
    const isWrongRefusal = wanted === 'refuse' && !first.judgement.wronglyAccepted;
    if (isWrongRefusal && !(await acceptance())) return decided(pass(undefined, what));
    const isJudged = !first.judgement.wronglyAccepted || api.seen(planned)?.accepted !== false;
    if (isJudged && isMiss(await plainly?.())) return [];
  }
  const turns = [first];
  const { kind: found, got } = await confirm(async () => turns.pop() ?? again(), assess);
  const { answer, judgement } = got;
  if (judgement?.kind === 'miss') {
    const [suspect] = judgement.suspects;
    // What the contract admits with a warning alone breaks a must, and is a warning nevertheless.
    const verdict = judgement.level === 'must' && suspect?.level === 'must' ? 'fail' : 'warn';
    const detail = `${what}: wanted ${judgement.wanted}, got ${judgement.got}`;
    const wrong: Decided = { verdict, broke: answer, detail, wanted: judgement.wanted, got: judgement.got };
    return found === 'wrong' ? decided(wrong, suspect?.requirement) : decided(blame('fleeting', wrong));
  }
  if (judgement) return decided(pass(await acceptance(), what));
  return decided(inconclusive(`${what}: ${whyUnjudged(answer)}`));
}

function whyUnjudged(answer: CheckAnswer): string {
  const outcome = outcomeOf(answer);
  switch (outcome.kind) {
    case 'lost':
      return outcome.why;
    case 'accepted':
      return 'too little of the answer was read';
    case 'refused':
      return `the request that it is compared with got ${outcome.got}`;
  }
}

const isMiss = (judged: Judged | undefined) => judged?.judgement?.kind === 'miss';

function assess({ answer, judgement }: Judged): Assessment {
  if (judgement === undefined) return 'lost';
  if (judgement.kind !== 'miss') return 'right';
  if (!judgement.wronglyAccepted) return 'wrong';
  return answer.accepted ? 'wrong at once' : 'unlike';
}
