import type { Contract, Level, Outcome, StatusPattern } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import { type Admissible, type Expectation, levelOf, type Suspect } from '../plan/expectation.ts';
import type { Answer } from '../record/observation.ts';
import { describeAnswer, describeWanted } from './wording.ts';

export { describeWanted } from './wording.ts';

/** What one answer says about one case. */
export type Judgement =
  | {
      readonly kind: 'pass';
      /** Requirements that the answer satisfies. */
      readonly satisfied: readonly string[];
      /** Requirements on a part of the body that was not read: neither satisfied nor broken. */
      readonly unread?: readonly string[];
    }
  | { readonly kind: 'observed'; readonly silent: readonly Suspect[] }
  /** The body was not read as far as what would decide. */
  | { readonly kind: 'undecided' }
  | Miss;
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

/** Holds an answer against what the case admits. Pure. */
export function judgeAnswer(
  contract: Contract,
  operation: Operation,
  expectation: Expectation,
  answer: Answer,
): Judgement {
  const missOf = (suspects: readonly Suspect[]) => miss(suspects, contract, expectation, operation, answer);
  const accepted = answer.status >= 200 && answer.status < 300;
  if (accepted && expectation.kind !== 'refuse') return judgeSuccess(contract, operation, expectation, answer);
  if (expectation.kind === 'accept') return missOf(expectation.suspects);
  if (expectation.kind === 'open') {
    if (answer.status < 400 || answer.status > 499) return missOf(expectation.silent);
    return misplaced(contract, operation, expectation, answer) ?? { kind: 'observed', silent: expectation.silent };
  }
  const stray = misplaced(contract, operation, expectation, answer);
  const matching = expectation.admissible.filter(({ outcome }) => matches(outcome, answer));
  if (matching.length === 0) {
    const fitting = expectation.admissible.filter(({ outcome }) => fits(outcome, answer));
    // Only a message keeps it from matching: one too many, or one that may stand in what was not read.
    if (stray && fitting.some(({ outcome }) => outcome.message === 'none')) return stray;
    if (answer.truncated && fitting.some(({ outcome }) => Array.isArray(outcome.message))) return { kind: 'undecided' };
    // A silent rule is never a server error, also where the fault beside it is only recommended.
    return missOf([...expectation.suspects, ...(answer.status >= 500 ? expectation.silent : [])]);
  }
  if (stray) return stray;
  const clean = matching.filter(({ outcome }) => outcome.verdict === undefined);
  if (clean.length === 0) {
    const blamed = expectation.suspects.filter(({ requirement }) =>
      matching.some((match) => match.requirement === requirement),
    );
    return { ...missOf(blamed), level: 'should' };
  }
  if (decisive(expectation, clean).length === 0) return { kind: 'observed', silent: expectation.silent };
  return { kind: 'pass', satisfied: [...creditOf(expectation, answer), ...messageRequirements(contract)] };
}

/**
 * The requirements that a refusal answers: those whose message it carries, else those whose outcome it is. Where several
 * faults meet, what was looked at first.
 */
export function answeredBy(expectation: Expectation, answer: Answer): readonly string[] {
  const clean = expectation.admissible.filter(
    ({ outcome }) => outcome.verdict === undefined && matches(outcome, answer),
  );
  const matching = decisive(expectation, clean);
  const told = matching.filter(({ outcome }) => Array.isArray(outcome.message));
  return requirementsOf(told.length > 0 ? told : matching);
}

/**
 * What a refusal shows. Where the status fits several faults, or what is left open beside one may be refused as well, only
 * the fault whose message it carries was surely seen; where no message tells them apart, it shows nothing of either.
 */
function creditOf(expectation: Expectation, answer: Answer): readonly string[] {
  const fitting = decisive(expectation, expectation.admissible).filter(({ outcome }) => fits(outcome, answer));
  const matching = fitting.filter(({ outcome }) => outcome.verdict === undefined && matches(outcome, answer));
  if (requirementsOf(fitting).length <= 1 && expectation.silent.length === 0) return requirementsOf(matching);
  const told = requirementsOf(matching.filter(({ outcome }) => Array.isArray(outcome.message)));
  return told.length === 1 ? told : [];
}

/** Without what only a silent rule admits. */
function decisive({ silent }: Expectation, admissible: readonly Admissible[]): readonly Admissible[] {
  return admissible.filter(({ rule }) => silent.every((suspect) => suspect.rule !== rule));
}

function requirementsOf(admissible: readonly Admissible[]): readonly string[] {
  return [...new Set(admissible.map(({ requirement }) => requirement))];
}

/** A refusal without a misplaced message satisfies what the ledger says of messages. */
function messageRequirements({ rules }: Contract): string[] {
  return [...new Set(Object.values(rules.messages).map(({ requirement }) => requirement))];
}

function judgeSuccess(contract: Contract, operation: Operation, expectation: Expectation, answer: Answer): Judgement {
  const { documentsBody } = operation;
  const { status } = operation.success;
  const response = `${operation.id}.response`;
  const shown = expectation.kind === 'accept' ? expectation.suspects.map(({ requirement }) => requirement) : [];
  const blame = (requirement: string, wanted: string, got: string, template = requirement): Miss => {
    const suspect = statedSuspect(contract, requirement, template);
    const satisfied = shown.filter((other) => other !== requirement);
    return { kind: 'miss', suspects: [suspect], level: suspect.level, wronglyAccepted: false, satisfied, wanted, got };
  };
  if (answer.status !== status) {
    const [requirement, template] = documentsBody ? [`${operation.id}.success`, '{operation}.success'] : [response];
    return blame(requirement ?? response, String(status), String(answer.status), template);
  }
  const errors = answer.truncated ? [] : (answer.schemaErrors ?? []);
  if (errors.length > 0)
    return blame(
      response,
      `${answer.status} with the documented body`,
      `${answer.status}, but ${errors.slice(0, 3).join('; ')}`,
    );
  if (documentsBody && !/json/i.test(answer.contentType ?? ''))
    return blame(
      'response.content-type',
      `${answer.status} declared as JSON`,
      `${answer.status} declared as ${answer.contentType ?? 'nothing'}`,
    );
  if (expectation.kind === 'open') return { kind: 'observed', silent: expectation.silent };
  // A body that was not read to its end decides nothing of itself; that the request was accepted is seen all the same.
  const unread = documentsBody && answer.truncated === true;
  return {
    kind: 'pass',
    satisfied: [
      ...expectation.suspects.map(({ requirement }) => requirement),
      ...(unread ? [] : [response]),
      ...(documentsBody ? ['response.content-type'] : []),
    ],
    ...(unread && { unread: [response] }),
  };
}

/** A documented message where none of the rules that hold allows it. */
function misplaced(
  contract: Contract,
  operation: Operation,
  expectation: Expectation,
  answer: Answer,
): Miss | undefined {
  const stray = answer.whole.find((id) => !expectation.messages.has(id));
  const message = stray === undefined ? undefined : contract.rules.messages[stray];
  if (!message) return undefined;
  return {
    ...miss([statedSuspect(contract, message.requirement)], contract, expectation, operation, answer),
    strayMessage: true,
    wanted: `a refusal without the message "${message.text}"`,
  };
}

function statedSuspect(contract: Contract, requirement: string, template = requirement): Suspect {
  return { rule: requirement, template, requirement, level: levelOf(contract, requirement), basis: 'stated' };
}

function miss(
  suspects: readonly Suspect[],
  contract: Contract,
  expectation: Expectation,
  operation: Operation,
  answer: Answer,
): Miss {
  return {
    kind: 'miss',
    suspects,
    level: gravest(suspects),
    wronglyAccepted: answer.status >= 200 && answer.status < 300,
    wanted: describeWanted(contract, expectation, operation),
    got: describeAnswer(contract, expectation, answer),
  };
}

export function gravest(suspects: readonly Suspect[]): Level {
  if (suspects.some(({ level }) => level === 'must')) return 'must';
  return suspects.some(({ level }) => level === 'should') ? 'should' : 'advisory';
}

function matches(outcome: Outcome, answer: Answer): boolean {
  if (!fits(outcome, answer)) return false;
  const { message } = outcome;
  if (message === undefined) return true;
  return message === 'none' ? answer.whole.length === 0 : message.some((id) => answer.whole.includes(id));
}

/** Whether the status is one of the outcome's, whatever the message. */
function fits({ status }: Outcome, answer: Answer): boolean {
  return [status].flat().some((pattern) => statusMatches(pattern, answer.status));
}

function statusMatches(pattern: StatusPattern, status: number): boolean {
  return typeof pattern === 'number' ? pattern === status : Math.floor(status / 100) === Number(pattern[0]);
}
