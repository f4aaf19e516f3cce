import { createHash } from 'node:crypto';

/** Counts a request with that token; the seconds to wait when it is one too many, else undefined. */
export type RateLimit = (token: string) => number | undefined;

export interface RateLimitOptions {
  readonly requestsPerMinute: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const minute = 60_000;

/**
 * So many requests a minute for each token. A token's minute begins with a request and the next one with the first request
 * after it; what was refused does not count, so whoever waits as told is served.
 */
export function createRateLimit({ requestsPerMinute, now }: RateLimitOptions): RateLimit {
  const minutes = new Map<string, { began: number; requests: number }>();
  let swept = now();
  const over = (began: number) => now() < began || now() >= began + minute;

  return (token) => {
    if (over(swept)) {
      swept = now();
      for (const [key, { began }] of minutes) if (over(began)) minutes.delete(key);
    }
    const key = createHash('sha256').update(token).digest('base64url');
    const current = minutes.get(key);
    if (!current || over(current.began)) {
      minutes.set(key, { began: now(), requests: 1 });
      return undefined;
    }
    if (current.requests >= requestsPerMinute) return Math.ceil((current.began + minute - now()) / 1000);
    current.requests += 1;
    return undefined;
  };
}
