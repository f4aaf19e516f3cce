import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Store } from '../store/store.ts';
import type { CookieJar } from './cookies.ts';
import type { Session } from './page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set behind the sign-in, from the first hook on. */
    session: Session | null;
  }
}

export const sessionCookie = 'console';

/** Why a form is not taken. */
export class FormRefused extends Error {}

/** Who is asking, or undefined for somebody who is not signed in. */
export async function findSession(request: FastifyRequest, store: Store, jar: CookieJar): Promise<Session | undefined> {
  const secret = jar.read(request.headers.cookie, sessionCookie);
  const person = secret === undefined ? undefined : await store.consoleSessions.find(secret);
  if (secret === undefined || !person) return undefined;
  return {
    person,
    // Derived, so that no second secret has to be kept; and one-way, so that no page shows what the cookie holds.
    csrf: createHmac('sha256', secret).update('csrf').digest('base64url'),
    id: createHash('sha256').update(secret).digest('base64url'),
  };
}

export function requireSession({ session }: FastifyRequest): Session {
  if (!session) throw new Error('This page is served before anybody signed in: its route lacks the hook.');
  return session;
}

export function formOf({ body }: FastifyRequest): URLSearchParams {
  if (!(body instanceof URLSearchParams)) throw new FormRefused('This is not a form of the console.');
  return body;
}

/**
 * Lets a form pass only if it comes from a page of this session.
 * @throws FormRefused when another site sent it, or an older page
 */
export function checkOrigin(request: FastifyRequest): void {
  // What the browser itself says (Fetch Metadata); another port of this host is `same-site`, and would bring the cookie.
  const from = request.headers['sec-fetch-site'];
  if (from !== undefined && from !== 'same-origin') throw new FormRefused('This form comes from another site.');
  const { csrf } = requireSession(request);
  const given = Buffer.from(formOf(request).get('csrf') ?? '');
  const wanted = Buffer.from(csrf);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new FormRefused('This page was made for another sign-in. Open it again.');
}
