import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Provider } from 'oidc-provider';
import type { Sender } from '../store/password-hash.ts';
import { canonical, type People } from '../store/people.ts';

/**
 * Limits attempts for each subject. Of sign-ins that fail, this is an email, whether or not it belongs to a person, the same from
 * one address, a browser, or a sign-in that was started.
 */
export interface Throttle {
  /** Call before the work, such as checking a password. Returns undefined, or the seconds to wait when no attempt is left. */
  attempt(subject: string): number | undefined;
  /** Takes an attempt back: the sign-in succeeded, or its password was not looked at. */
  takeBack(subject: string): void;
}

interface ThrottleOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** How many may fail before the next ones wait. */
  readonly attempts?: number;
  /** Then one is allowed in so many milliseconds. */
  readonly interval?: number;
  readonly maxSubjects?: number;
}

const minute = 60_000;
/**
 * For one email from all addresses together, in browsers that do not know the person. With one more a minute they are fewer
 * than the 100 per hour that OWASP ASVS 4.0 allows (2.2.1), and one address alone does not use them up.
 */
export const attemptsFromEverywhere = 30;

/** Allows some attempts, then one an interval. They count before the password is checked, so parallel ones gain nothing. */
export function createThrottle({
  now,
  attempts = 10,
  interval = minute,
  maxSubjects = 10_000,
}: ThrottleOptions): Throttle {
  // For each subject, when all its attempts are available again. Each attempt adds an interval.
  const fullAt = new Map<string, number>();
  // People type passwords into this field by mistake, and the text can have any length. So only a hash is kept.
  const keyOf = (subject: string) => createHash('sha256').update(canonical(subject)).digest('base64url');

  return {
    attempt(subject) {
      const key = keyOf(subject);
      // The upper bound keeps the wait short when the clock is set back.
      const debt = Math.min(Math.max((fullAt.get(key) ?? 0) - now(), 0), attempts * interval);
      if (debt > (attempts - 1) * interval) return Math.ceil((debt - (attempts - 1) * interval) / 1000);
      fullAt.set(key, now() + debt + interval);
      if (fullAt.size > maxSubjects) makeRoom(fullAt, now());
      return undefined;
    },
    takeBack(subject) {
      const key = keyOf(subject);
      const full = fullAt.get(key);
      if (full !== undefined) fullAt.set(key, full - interval);
    },
  };
}

/**
 * Removes the subjects that have all their attempts. If there are none, it removes the one with the most attempts left, so that
 * a flood of emails cannot reset one that has none left.
 */
function makeRoom(fullAt: Map<string, number>, now: number): void {
  let first: readonly [string, number] | undefined;
  const { size } = fullAt;
  for (const [key, full] of fullAt) {
    if (full <= now) fullAt.delete(key);
    else if (first === undefined || full < first[1]) first = [key, full];
  }
  if (fullAt.size === size && first) fullAt.delete(first[0]);
}

/** In milliseconds. The cookie ends earlier when the key that signed it does. */
const lifetime = 180 * 24 * 60 * 60 * 1000;

interface Limited {
  /** Whose wrong passwords count together: those of this browser, or those for this email from this address. */
  readonly limited: string;
}

/**
 * Tells browsers in which a person signed in before from all others, by a signed cookie (OWASP: Slow Down Online Guessing
 * Attacks with Device Cookies). It opens nothing. What strangers send does not count against such a browser, so they cannot
 * lock its person out. A new password ends it.
 */
export function knownBrowsers(provider: Provider, people: People) {
  /** One for each person, because several may share a browser. The signature covers the name. */
  const nameOf = (email: string) => `known-${createHash('sha256').update(canonical(email)).digest('hex').slice(0, 32)}`;
  const options = { path: '/interaction', httpOnly: true, sameSite: 'lax', signed: true, overwrite: true } as const;

  return {
    /** @param email what was typed */
    async senderOf(request: IncomingMessage, response: ServerResponse, email: string): Promise<Sender & Limited> {
      const cookie = provider.createContext(request, response).cookies.get(nameOf(email), options);
      const changedAt = cookie === undefined ? undefined : await people.passwordChangedAt(email);
      return changedAt !== undefined && cookie?.startsWith(`${changedAt}.`)
        ? { isKnown: true, name: canonical(email), limited: cookie }
        : { isKnown: false, name: networkOf(request), limited: `${canonical(email)} ${networkOf(request)}` };
    },

    /** The person has just given the password. */
    async remember(request: IncomingMessage, response: ServerResponse, email: string): Promise<void> {
      const value = `${await people.passwordChangedAt(email)}.${randomBytes(16).toString('hex')}`;
      provider.createContext(request, response).cookies.set(nameOf(email), value, { ...options, maxAge: lifetime });
    },
  };
}

/** The address of the connection. Of an IPv6 address, the network: anyone with one has billions. */
function networkOf({ socket: { remoteAddress = '' } }: IncomingMessage): string {
  if (!ipaddr.isValid(remoteAddress)) return '';
  const address = ipaddr.process(remoteAddress);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString();
}
