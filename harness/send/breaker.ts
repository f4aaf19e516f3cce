import type { Clock } from './clock.ts';

/** Counts requests without an answer and decides when the target is gone. */
export interface Breaker {
  answered(): void;
  failed(): void;
  /** How long the target has been silent, in words. Undefined while that is no reason to end the run. */
  readonly silence: string | undefined;
}

const FAILURES_TO_END = 20;

/** @param patienceMs the target is gone after this many milliseconds and at least 20 requests without an answer. */
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
