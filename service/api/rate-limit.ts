import { createHash } from 'node:crypto';

/** Counts a request with this token. Returns undefined, or the seconds to wait when the limit is reached. */
export type RateLimit = (token: string) => number | undefined;

export interface RateLimitOptions {
  readonly requestsPerMinute: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const minute = 60_000;

/**
 * Limits the requests with each token in a window of one minute. A window starts with the first request after the previous
 * window. Refused requests are not counted, so a client that waits as long as told is served.
 */
export function createRateLimit({ requestsPerMinute, now }: RateLimitOptions): RateLimit {
  const windows = new Map<string, { start: number; requests: number }>();
  let lastSweep = now();
  // A start in the future means that the clock was set back.
  const isOver = (start: number) => now() < start || now() >= start + minute;

  return (token) => {
    if (isOver(lastSweep)) {
      lastSweep = now();
      for (const [key, { start }] of windows) if (isOver(start)) windows.delete(key);
    }
    const key = createHash('sha256').update(token).digest('base64url');
    const current = windows.get(key);
    if (!current || isOver(current.start)) {
      windows.set(key, { start: now(), requests: 1 });
      return undefined;
    }
    if (current.requests >= requestsPerMinute) return Math.ceil((current.start + minute - now()) / 1000);
    current.requests += 1;
    return undefined;
  };
}
