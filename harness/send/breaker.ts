import { LONGEST_PAUSE_MS } from '../record/lockout.ts';
import type { Clock } from './clock.ts';

/** Counts requests without an answer and decides when the target is gone. */
export interface Breaker {
  answered(): void;
  limited(): void;
  failed(why?: string): void;
  /** How long the target has been silent, in words. Undefined while that is no reason to end the run. */
  readonly silence: string | undefined;
}

const FAILURES_TO_END = 20;
/** A target that has said nothing but 429 for so long has a limit that no pause of a run waits for. */
const LONGEST_LIMIT_MS = 2 * LONGEST_PAUSE_MS;

/** @param patienceMs the target is gone after this many milliseconds and at least 20 requests without an answer. */
export function createBreaker(clock: Clock, patienceMs: number): Breaker {
  let failures = 0;
  let failingSince: number | undefined;
  let isHeard = false;
  let limitedSince: number | undefined;
  let last: string | undefined;
  let advice = ': check that it is running, and that TARGET_BASE_URL has the right scheme and port';
  const alive = () => {
    advice = '';
    failures = 0;
    failingSince = undefined;
  };
  return {
    answered() {
      alive();
      isHeard = true;
    },
    // What asks to slow down is alive. A gateway in front of a target that is down is not.
    limited() {
      alive();
      limitedSince ??= clock.now();
    },
    failed(why) {
      last = why;
      failures += 1;
      failingSince ??= clock.now();
    },
    get silence() {
      const limitedMs = isHeard || limitedSince === undefined ? 0 : clock.now() - limitedSince;
      if (limitedMs >= LONGEST_LIMIT_MS)
        return `the target answered nothing but 429 for ${Math.round(limitedMs / 1000)} s: run again when its limit is over`;
      const silentMs = failingSince === undefined ? 0 : clock.now() - failingSince;
      if (failures < FAILURES_TO_END || silentMs < patienceMs) return undefined;
      const text = `the target gave no answer to ${failures} requests in a row for ${Math.round(silentMs / 1000)} s`;
      if (last === undefined) return text + advice;
      // Something listens there.
      const isBusy = advice !== '' && last.startsWith('status ');
      return `${text} (last: ${last})${isBusy ? ': a gateway or a busy server answers like this; run again when it is ready' : advice}`;
    },
  };
}
