import type { Contract, Level } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import { type Expectation, levelOf, type Suspect } from '../plan/expectation.ts';
import { type Answer, isSuccess } from '../record/observation.ts';
import { describeAnswer, describeWanted } from './wording.ts';

/** An answer, and what it is compared with. */
export interface Answered {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly expectation: Expectation;
  readonly answer: Answer;
}
/** An answer that the case does not admit. */
export interface Miss {
  readonly kind: 'miss';
  /** One of these is broken; findings.ts decides which. */
  readonly suspects: readonly Suspect[];
  /** The gravest level among them: a miss of `should` or `advisory` is a warning. */
  readonly level: Level;
  /** The answer was a 2xx where a refusal was due: wrong however rare. */
  readonly wronglyAccepted: boolean;
  /** The refusal would do but for a documented message that does not belong there. */
  readonly strayMessage?: true;
  /** What an acceptance shows although something of it is amiss: its body, its content type. */
  readonly satisfied?: readonly string[];
  readonly wanted: string;
  readonly got: string;
}

export function missOf({ contract, operation, expectation, answer }: Answered, suspects: readonly Suspect[]): Miss {
  return {
    kind: 'miss',
    suspects,
    level: gravest(suspects),
    wronglyAccepted: isSuccess(answer.status),
    wanted: describeWanted(contract, expectation, operation),
    got: describeAnswer(contract, expectation, answer),
  };
}

/** A documented message where none of the rules that hold allows it. */
export function strayMessageOf(answered: Answered): Miss | undefined {
  const { contract, expectation, answer } = answered;
  const stray = answer.whole.find((id) => !expectation.messages.has(id));
  const message = stray === undefined ? undefined : contract.rules.messages[stray];
  if (!message) return undefined;
  return {
    ...missOf(answered, [statedSuspect(contract, message.requirement)]),
    strayMessage: true,
    wanted: `a refusal without the message "${message.text}"`,
  };
}

/** A requirement that its own statement makes suspect, and no rule. */
export function statedSuspect(contract: Contract, requirement: string, template = requirement): Suspect {
  return { rule: requirement, template, requirement, level: levelOf(contract, requirement), basis: 'stated' };
}

export function gravest(suspects: readonly Suspect[]): Level {
  if (suspects.some(({ level }) => level === 'must')) return 'must';
  return suspects.some(({ level }) => level === 'should') ? 'should' : 'advisory';
}
