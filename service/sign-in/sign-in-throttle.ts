import { createHash } from 'node:crypto';
import { canonical } from '../store/people.ts';

/** How often somebody may be guessed at: by email, whether it names anybody or not. */
export interface SignInThrottle {
  /** Takes a try before its password is looked at; the seconds to wait when none is left, else undefined. */
  take(email: string): number | undefined;
  /** Gives back the try of a sign-in that succeeded. */
  succeeded(email: string): void;
}

export interface SignInThrottleOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** The most emails kept in mind. */
  readonly most?: number;
}

const tries = 10;
const minute = 60_000;

/**
 * Ten failures, then one further try a minute: fewer than the 100 an hour that OWASP ASVS 4.0 allows (2.2.1). Taken
 * beforehand, so that many at once get no more than one after the other.
 */
export function createSignInThrottle({ now, most = 10_000 }: SignInThrottleOptions): SignInThrottle {
  // By email, when all its tries are back: each that was taken puts it off by a minute.
  const wholeAt = new Map<string, number>();
  // What was typed there may be a password, and is as long as its sender likes.
  const keyOf = (email: string) => createHash('sha256').update(canonical(email)).digest('base64url');

  return {
    take(email) {
      const key = keyOf(email);
      // Never further off than ten tries, should the clock be set back.
      const owed = Math.min(Math.max((wholeAt.get(key) ?? 0) - now(), 0), tries * minute);
      if (owed > (tries - 1) * minute) return Math.ceil((owed - (tries - 1) * minute) / 1000);
      wholeAt.set(key, now() + owed + minute);
      if (wholeAt.size > most) forget(wholeAt, now());
      return undefined;
    },
    succeeded(email) {
      const key = keyOf(email);
      const whole = wholeAt.get(key);
      if (whole !== undefined) wholeAt.set(key, whole - minute);
    },
  };
}

/** Those that have all tries again; when there are none, the one with the most: no flood frees one that is spent. */
function forget(wholeAt: Map<string, number>, now: number): void {
  let first: readonly [string, number] | undefined;
  const { size } = wholeAt;
  for (const [key, whole] of wholeAt) {
    if (whole <= now) wholeAt.delete(key);
    else if (first === undefined || whole < first[1]) first = [key, whole];
  }
  if (wholeAt.size === size && first) wholeAt.delete(first[0]);
}
