import { createHash } from 'node:crypto';
import type { Credential } from './credential.ts';

/** Counts a request. Returns undefined, or the seconds to wait when the limit is reached. @param identity see identityOf */
export type RateLimit = (identity: string) => number | undefined;

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

  return (identity) => {
    if (isOver(lastSweep)) {
      lastSweep = now();
      for (const [key, { start }] of windows) if (isOver(start)) windows.delete(key);
    }
    const key = createHash('sha256').update(identity).digest('base64url');
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

/**
 * What identifies a token, however it is spelt. One JWT has many spellings: an ECDSA signature has two valid values, and the
 * last character of base64url has bits that nobody reads.
 */
export function identityOf(credential: Credential): string {
  if (credential.family === 'service') return credential.token.id;
  const { jti, expires_in: _changing, ...claims } = credential.claims;
  // RFC 7519 4.1.7: the issuer gives each token another jti.
  return JSON.stringify([credential.issuer.issuer, typeof jti === 'string' ? jti : claims]);
}
