import type { Outcome, StatusPattern } from '../contract/contract.ts';
import type { Admissible, Expectation } from '../plan/expectation.ts';
import type { Answer } from '../record/observation.ts';

/** Whether an answer is this outcome, message included. */
export function matches(outcome: Outcome, answer: Answer): boolean {
  if (!fits(outcome, answer)) return false;
  const { message } = outcome;
  if (message === undefined) return true;
  return message === 'none' ? answer.whole.length === 0 : message.some((id) => answer.whole.includes(id));
}

/** Whether the status is one of the outcome's, whatever the message. */
export function fits({ status }: Outcome, answer: Answer): boolean {
  return [status].flat().some((pattern) => statusMatches(pattern, answer.status));
}

function statusMatches(pattern: StatusPattern, status: number): boolean {
  return typeof pattern === 'number' ? pattern === status : Math.floor(status / 100) === Number(pattern[0]);
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
export function creditOf(expectation: Expectation, answer: Answer): readonly string[] {
  const fitting = decisive(expectation, expectation.admissible).filter(({ outcome }) => fits(outcome, answer));
  const matching = fitting.filter(({ outcome }) => outcome.verdict === undefined && matches(outcome, answer));
  if (requirementsOf(fitting).length <= 1 && expectation.silent.length === 0) return requirementsOf(matching);
  const told = requirementsOf(matching.filter(({ outcome }) => Array.isArray(outcome.message)));
  return told.length === 1 ? told : [];
}

/** Without what only a silent rule admits. */
export function decisive({ silent }: Expectation, admissible: readonly Admissible[]): readonly Admissible[] {
  return admissible.filter(({ rule }) => silent.every((suspect) => suspect.rule !== rule));
}

function requirementsOf(admissible: readonly Admissible[]): readonly string[] {
  return [...new Set(admissible.map(({ requirement }) => requirement))];
}
