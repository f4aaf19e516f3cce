import type { CheckResult } from '../../../harness/checks/check.ts';

/** What a check decides of a requirement, and what it says of it. */
export type Decided = Pick<CheckResult, 'verdict' | 'detail' | 'variable'>;

export const pass = (detail: string): Decided => ({ verdict: 'pass', detail });
export const fail = (detail: string): Decided => ({ verdict: 'fail', detail });
export const unclear = (detail: string): Decided => ({ verdict: 'inconclusive', detail });
/** It would be testable if this variable were set. */
export const lacking = (variable: string): Decided => ({ verdict: 'not-testable', detail: variable, variable });

/** What is wrong is blamed when it came again, and undecided where it came once and not again (OUTCOMES 3). */
export function blamed(came: 'wrong' | 'fleeting', detail: string, verdict: 'fail' | 'warn' = 'fail'): Decided {
  return came === 'wrong' ? { verdict, detail } : unclear(`${detail}; it came once and not again`);
}
