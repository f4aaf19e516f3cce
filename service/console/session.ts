import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Store } from '../store/store.ts';
import type { Session } from './page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by a hook on every route that needs a sign-in. */
    session: Session | null;
  }
}

export const sessionCookie = 'console';

/** A form is refused. The message is shown to the person. */
export class FormRefused extends Error {}

/** Finds the session of the request's cookie; undefined when nobody is signed in. */
export async function findSession(request: FastifyRequest, store: Store, jar: CookieJar): Promise<Session | undefined> {
  const secret = jar.read(request.headers.cookie, sessionCookie);
  const person = secret === undefined ? undefined : await store.consoleSessions.find(secret);
  if (secret === undefined || !person) return undefined;
  return {
    id: createHash('sha256').update(secret).digest('base64url'),
    person,
    // Derived from the secret, so that it needs no storage. One-way, so that a page does not reveal the secret.
    csrf: createHmac('sha256', secret).update('csrf').digest('base64url'),
  };
}

export function requireSession({ session }: FastifyRequest): Session {
  if (!session) throw new Error('This route has no session. Register it with the routes that need a sign-in.');
  return session;
}

export function formOf({ body }: FastifyRequest): URLSearchParams {
  if (!(body instanceof URLSearchParams)) throw new FormRefused('This is not a form of the console.');
  return body;
}

/** @throws FormRefused when a form comes from another site or from a page of another session */
export function checkOrigin(request: FastifyRequest): void {
  // The browser sets this header (Fetch Metadata). Another port of this host is `same-site`, and its forms send the cookie.
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new FormRefused('This form comes from another site.');
  const { csrf } = requireSession(request);
  const given = Buffer.from(formOf(request).get('csrf') ?? '');
  const wanted = Buffer.from(csrf);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new FormRefused('This form belongs to another session. Open the page again.');
}

/** Reads and writes the console's cookies. */
export interface CookieJar {
  /** @param header the value of the `Cookie` header */
  read(header: string | undefined, name: string): string | undefined;
  /** Makes the value of a `Set-Cookie` header. @param seconds the lifetime in the browser; 0 removes the cookie */
  write(name: string, value: string, seconds: number): string;
}

/**
 * @param publicUrl the address of the service for browsers. Over https, the cookies are Secure and have the prefix `__Host-`:
 * no other host and no page without TLS can set them (RFC 6265bis 4.1.3).
 */
export function cookieJar(publicUrl: string): CookieJar {
  const secure = publicUrl.startsWith('https:');
  const prefixed = (name: string) => (secure ? `__Host-${name}` : name);
  return {
    read(header = '', name) {
      const prefix = `${prefixed(name)}=`;
      return header
        .split(/; */)
        .find((pair) => pair.startsWith(prefix))
        ?.slice(prefix.length);
    },
    write(name, value, seconds) {
      // With Strict, the browser would not send the cookie after the redirect from an authorization server on another site.
      const attributes = [
        'HttpOnly',
        'SameSite=Lax',
        `Max-Age=${seconds}`,
        ...(secure ? ['Path=/', 'Secure'] : ['Path=/admin']),
      ];
      return [`${prefixed(name)}=${value}`, ...attributes].join('; ');
    },
  };
}
