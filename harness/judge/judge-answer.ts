import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import type { Expectation } from '../plan/expectation.ts';
import { type Answer, isSuccess } from '../record/observation.ts';
import { creditOf, decisive, fits, matches } from './credit.ts';
import { judgeSuccess } from './judge-success.ts';
import type { Judgement } from './judgement.ts';
import { type Answered, missOf, strayMessageOf } from './miss.ts';

export { describeWanted } from './wording.ts';

/** Holds an answer against what the case admits. Pure. */
export function judgeAnswer(
  contract: Contract,
  operation: Operation,
  expectation: Expectation,
  answer: Answer,
): Judgement {
  const answered = { contract, operation, expectation, answer };
  const isClientError = answer.status >= 400 && answer.status <= 499;
  switch (expectation.kind) {
    case 'accept':
      return isSuccess(answer.status) ? judgeSuccess(answered) : missOf(answered, expectation.suspects);
    case 'open':
      if (isSuccess(answer.status)) return judgeSuccess(answered);
      if (!isClientError) return missOf(answered, expectation.silent);
      return strayMessageOf(answered) ?? { kind: 'observed', silent: expectation.silent };
    case 'refuse':
      return judgeRefusal(answered);
  }
}

/** Judges the answer to what must be refused. */
function judgeRefusal(answered: Answered): Judgement {
  const { contract, expectation, answer } = answered;
  const stray = strayMessageOf(answered);
  const matching = expectation.admissible.filter(({ outcome }) => matches(outcome, answer));
  if (matching.length === 0) {
    const fitting = expectation.admissible.filter(({ outcome }) => fits(outcome, answer));
    // Only a message keeps it from matching: one too many, or one that may stand in what was not read.
    if (stray && fitting.some(({ outcome }) => outcome.message === 'none')) return stray;
    if (answer.truncated && fitting.some(({ outcome }) => Array.isArray(outcome.message))) return { kind: 'undecided' };
    // A silent rule is never a server error, also where the fault beside it is only recommended.
    return missOf(answered, [...expectation.suspects, ...(answer.status >= 500 ? expectation.silent : [])]);
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

/** A refusal without a misplaced message satisfies what the ledger says of messages. */
function messageRequirements({ rules }: Contract): string[] {
  return [...new Set(Object.values(rules.messages).map(({ requirement }) => requirement))];
}
