import type { Failure, RawAnswer } from '../../harness/record/observation.ts';
import type { Clock } from '../../harness/send/clock.ts';

/** What comes back for a request. */
export type Answer = RawAnswer | Failure;
/** Replaces or delays the right answer to a request. */
export type Trouble = (answer: () => RawAnswer, clock: Clock) => Answer | Promise<Answer>;

export const answerOf = (status: number, headers: RawAnswer['headers'] = {}): RawAnswer => ({
  status,
  headers,
  text: '',
  truncated: false,
});

/** Answers with 429 after `most` requests within a window. */
export function limiter(most: number, windowMs: number, retryAfter: string | undefined): Trouble {
  let recent: number[] = [];
  return (answer, clock) => {
    recent = recent.filter((at) => at > clock.now() - windowMs);
    if (recent.length >= most) return answerOf(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    recent.push(clock.now());
    return answer();
  };
}

/** Answers every request with this status for some minutes, after more than this many refusals in a minute. */
export function lockingAfter(refusals: number, minutes: number, status: number): Trouble {
  let recent: number[] = [];
  let until = Number.NEGATIVE_INFINITY;
  return (answer, clock) => {
    const now = clock.now();
    if (now < until) return answerOf(status);
    const right = answer();
    if (right.status !== 401 && right.status !== 403) return right;
    recent = [...recent.filter((at) => at > now - 60_000), now];
    if (recent.length > refusals) {
      until = now + minutes * 60_000;
      recent = [];
    }
    return right;
  };
}

/** Answers with 429 in place of more than this many refusals in a minute. */
export function limitingRefusals(most: number): Trouble {
  let recent: number[] = [];
  return (answer, clock) => {
    const right = answer();
    if (right.status !== 401 && right.status !== 403) return right;
    recent = recent.filter((at) => at > clock.now() - 60_000);
    if (recent.length >= most) return answerOf(429);
    recent.push(clock.now());
    return right;
  };
}

/** Drops every connection for some minutes, after this many refusals. */
export function droppingAfter(refusals: number, minutes: number): Trouble {
  let refused = 0;
  let until = Number.NEGATIVE_INFINITY;
  return (answer, clock) => {
    if (clock.now() < until) return reset;
    const right = answer();
    if (right.status === 401 || right.status === 403) refused += 1;
    if (refused < refusals) return right;
    refused = 0;
    until = clock.now() + minutes * 60_000;
    return right;
  };
}

/** Gives another answer to every nth request. */
export function everyNth(nth: number, instead: (time: number) => Answer): Trouble {
  let count = 0;
  return (answer) => {
    count += 1;
    return count % nth === 0 ? instead(count / nth) : answer();
  };
}

/** Resets this share of the requests. */
export function byChance(share: number, seed: number): Trouble {
  let state = seed;
  return (answer) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state < share * 2 ** 32 ? reset : answer();
  };
}

/** Refuses connections for some minutes, from the nth request on. */
export function restart(from: number, minutes: number): Trouble {
  let count = 0;
  let startedAt: number | undefined;
  return (answer, clock) => {
    count += 1;
    if (count < from) return answer();
    startedAt ??= clock.now();
    const isDown = clock.now() - startedAt < minutes * 60_000;
    return isDown ? { kind: 'failure', failure: 'refused', detail: 'refused (ECONNREFUSED)' } : answer();
  };
}

export const reset: Failure = { kind: 'failure', failure: 'reset', detail: 'reset (ECONNRESET)' };
