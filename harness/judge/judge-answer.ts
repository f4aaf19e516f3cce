import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import type { Expectation } from '../plan/expectation.ts';
import { type Answer, isServerError, isSuccess } from '../record/observation.ts';
import { creditOf, decisive, fits, matches } from './credit.ts';
import { judgeSuccess } from './judge-success.ts';
import { type Answered, type Judgement, missOf, strayMessageOf } from './miss.ts';

export { describeWanted } from './wording.ts';

/** Compares an answer with what the case admits. Pure. */
export function judgeAnswer(
  contract: Contract,
  operation: Operation,
  expectation: Expectation,
  answer: Answer,
): Judgement {
  const answered = { contract, operation, expectation, answer };
  switch (expectation.kind) {
    case 'accept':
      return isSuccess(answer.status) ? judgeSuccess(answered) : missOf(answered, expectation.suspects);
    case 'open':
      if (isSuccess(answer.status)) return judgeSuccess(answered);
      if (isServerError(answer.status)) return missOf(answered, expectation.silent);
      return strayMessageOf(answered) ?? { kind: 'observed', silent: expectation.silent };
    case 'refuse':
      return judgeRefusal(answered);
  }
}

/** Judges the answer to a request that must be refused. */
function judgeRefusal(answered: Answered): Judgement {
  const { contract, expectation, answer } = answered;
  const stray = strayMessageOf(answered);
  const matching = expectation.admissible.filter(({ outcome }) => matches(outcome, answer));
  if (matching.length === 0) {
    const fitting = expectation.admissible.filter(({ outcome }) => fits(outcome, answer));
    // The status fits, but not the message: one is misplaced, or the wanted one may be in the part that was not read.
    if (stray && fitting.some(({ outcome }) => outcome.message === 'none')) return stray;
    if (answer.truncated && fitting.some(({ outcome }) => Array.isArray(outcome.message))) return { kind: 'undecided' };
    // What the specification leaves open may be answered with anything but a server error, so also with a redirect or 501.
    const { silent } = expectation;
    if (silent.length > 0 && fitting.length === 0 && !isSuccess(answer.status) && !isServerError(answer.status))
      return stray ?? { kind: 'observed', silent };
    // A silent rule never admits a server error (outcomes 1), so the silent rules of the case are suspects too.
    return missOf(answered, [...expectation.suspects, ...(isServerError(answer.status) ? expectation.silent : [])]);
  }
  if (stray) return stray;
  const clean = matching.filter(({ outcome }) => outcome.verdict === undefined);
  if (clean.length === 0) {
    const blamed = expectation.suspects.filter(({ requirement }) =>
      matching.some((match) => match.requirement === requirement),
    );
    return { ...missOf(answered, blamed), level: 'should' };
  }
  if (decisive(expectation, clean).length === 0) return { kind: 'observed', silent: expectation.silent };
  return { kind: 'pass', satisfied: [...creditOf(expectation, answer), ...messageRequirements(contract)] };
}

/** The requirements about messages. Every refusal without a misplaced message satisfies them. */
function messageRequirements({ rules }: Contract): string[] {
  return [...new Set(Object.values(rules.messages).map(({ requirement }) => requirement))];
}
