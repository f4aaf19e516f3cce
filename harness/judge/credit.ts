import type { Outcome, StatusPattern } from '../contract/contract.ts';
import type { Admissible, Expectation } from '../plan/expectation.ts';
import type { Answer } from '../record/observation.ts';

export function matches(outcome: Outcome, answer: Answer): boolean {
  if (!fits(outcome, answer)) return false;
  const { message } = outcome;
  if (message === undefined) return true;
  return message === 'none' ? answer.whole.length === 0 : message.some((id) => answer.whole.includes(id));
}

/** Whether an answer has the status of an outcome. The message does not matter. */
export function fits({ status }: Outcome, answer: Answer): boolean {
  if (typeof status !== 'object') return statusMatches(status, answer.status);
  return status.some((pattern) => statusMatches(pattern, answer.status));
}

function statusMatches(pattern: StatusPattern, status: number): boolean {
  return typeof pattern === 'number' ? pattern === status : Math.floor(status / 100) === Number(pattern[0]);
}

/**
 * The requirements that a refusal is about: those whose message it carries, or else those whose outcome it has. In a
 * case with several faults they show which fault the target checked first.
 */
export function answeredBy(expectation: Expectation, answer: Answer): readonly string[] {
  const clean = expectation.admissible.filter(
    ({ outcome }) => outcome.verdict === undefined && matches(outcome, answer),
  );
  const matching = decisive(expectation, clean);
  const withMessage = matching.filter(({ outcome }) => Array.isArray(outcome.message));
  return requirementsOf(withMessage.length > 0 ? withMessage : matching);
}

/**
 * The requirements that a refusal proves. If the status fits several faults, or fits a fault and a silent rule, only a
 * message can tell which one caused the refusal. Without such a message the refusal proves none of them. An outcome that
 * is only tolerated fits with its message alone.
 */
export function creditOf(expectation: Expectation, answer: Answer): readonly string[] {
  const fitting = decisive(expectation, expectation.admissible).filter(({ outcome }) =>
    outcome.verdict === undefined ? fits(outcome, answer) : matches(outcome, answer),
  );
  const matching = fitting.filter(({ outcome }) => outcome.verdict === undefined && matches(outcome, answer));
  if (requirementsOf(fitting).length <= 1 && expectation.silent.length === 0) return requirementsOf(matching);
  const withMessage = requirementsOf(matching.filter(({ outcome }) => Array.isArray(outcome.message)));
  return withMessage.length === 1 ? withMessage : [];
}

/** The outcomes that a decisive rule admits, without those that only a silent rule admits. */
export function decisive({ silent }: Expectation, admissible: readonly Admissible[]): readonly Admissible[] {
  return admissible.filter(({ rule }) => silent.every((suspect) => suspect.rule !== rule));
}

function requirementsOf(admissible: readonly Admissible[]): readonly string[] {
  return [...new Set(admissible.map(({ requirement }) => requirement))];
}
