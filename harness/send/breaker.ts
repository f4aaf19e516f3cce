import type { Clock } from './clock.ts';

/** Counts requests without an answer, and says when that is reason enough to end. */
export interface Breaker {
  answered(): void;
  failed(): void;
  /** Since when no answer comes, in words; undefined while that is no reason to end. */
  readonly silence: string | undefined;
}

const FAILURES_TO_END = 20;

/** @param patienceMs milliseconds without any answer, over at least 20 failures, after which the target counts as gone. */
export function createBreaker(clock: Clock, patienceMs: number): Breaker {
  let failures = 0;
  let failingSince: number | undefined;
  return {
    answered() {
      failures = 0;
      failingSince = undefined;
    },
    failed() {
      failures += 1;
      failingSince ??= clock.now();
    },
    get silence() {
      const silentMs = failingSince === undefined ? 0 : clock.now() - failingSince;
      if (failures < FAILURES_TO_END || silentMs < patienceMs) return undefined;
      return `the target gave no answer to ${failures} requests in a row for ${Math.round(silentMs / 1000)} s`;
    },
  };
}
