import type { CheckResult } from '../../../harness/checks/check.ts';

/** The verdict of a check on a requirement, with one line of detail. */
export type Decided = Pick<CheckResult, 'verdict' | 'detail' | 'variable'>;

export const pass = (detail: string): Decided => ({ verdict: 'pass', detail });
export const fail = (detail: string): Decided => ({ verdict: 'fail', detail });
export const inconclusive = (detail: string): Decided => ({ verdict: 'inconclusive', detail });
/** `not-testable` until this variable is set. */
export const notTestable = (variable: string): Decided => ({ verdict: 'not-testable', detail: variable, variable });

/** A wrong answer is blamed if it came again, and inconclusive if it did not (outcomes 3). */
export function blame(kind: 'wrong' | 'fleeting', detail: string, verdict: 'fail' | 'warn' = 'fail'): Decided {
  return kind === 'wrong' ? { verdict, detail } : inconclusive(`${detail}; it did not happen again`);
}
