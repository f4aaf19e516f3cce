import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Provider } from 'oidc-provider';
import type { Sender } from '../store/password-queue.ts';
import { canonical, type People } from '../store/people.ts';

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
