import type { FastifyInstance } from 'fastify';
import { html } from '../pages/html.ts';
import { sessionSeconds } from '../store/console-sessions.ts';
import { type ConsoleOptions, redirect, showMessage } from './reply.ts';
import { type CookieJar, checkOrigin, findSession, sessionCookie } from './session.ts';
import { type Pending, SignInRefused, signInSeconds } from './sign-in-client.ts';

const pendingCookie = 'console-sign-in';

const signInButton = html`<a class="button" href="/admin">Sign in</a>`;

/** @param goal the path of the page to show after signing in */
export function signInPath(goal: string): string {
  return `/admin/sign-in?${new URLSearchParams({ goal })}`;
}

/** Routes for signing in and out. They need no session. */
export function signInRoutes(app: FastifyInstance, { store, log, signIn }: ConsoleOptions, jar: CookieJar): void {
  app.get<{ Querystring: { goal?: string } }>('/sign-in', (request, reply) => {
    const { location, pending } = signIn.begin(ownPath(request.query.goal));
    const value = Buffer.from(JSON.stringify(pending)).toString('base64url');
    return redirect(reply.header('set-cookie', jar.write(pendingCookie, value, signInSeconds)), location);
  });

  app.get('/signed-in', async (request, reply) => {
    const pending = readPending(jar.read(request.headers.cookie, pendingCookie));
    const answer = new URL(request.url, 'http://console').searchParams;
    try {
      const { personId, authorizationSession } = await signIn.finish(answer, pending);
      const person = await store.people.findById(personId);
      if (!person) throw new SignInRefused('This service does not know the person who signed in.');
      // Every sign-in starts a new session, because an attacker may have set the old cookie (session fixation).
      const previous = jar.read(request.headers.cookie, sessionCookie);
      if (previous !== undefined) await store.consoleSessions.end(previous);
      const session = await store.consoleSessions.begin(person, authorizationSession);
      await store.auditTrail.signedIn(person);
      reply.header('set-cookie', [jar.write(sessionCookie, session, sessionSeconds), jar.write(pendingCookie, '', 0)]);
      return redirect(reply, ownPath(pending?.goal));
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      log.info({ requestId: request.id, reason: error.message }, 'console sign-in refused');
      const text = `${error.message} Please start again.`;
      return showMessage(reply, { title: 'You are not signed in', text, status: 403, link: signInButton });
    }
  });

  app.post('/sign-out', async (request, reply) => {
    request.session = (await findSession(request, store, jar)) ?? null;
    if (request.session) {
      checkOrigin(request);
      const ended = await store.consoleSessions.end(jar.read(request.headers.cookie, sessionCookie) ?? '');
      // Otherwise the next person at this browser could go on to other applications as this person.
      if (ended !== undefined) await store.consents.endSession(ended, signIn.clientId);
      await store.auditTrail.signedOut(request.session.person);
    }
    return redirect(reply.header('set-cookie', jar.write(sessionCookie, '', 0)), '/admin/signed-out');
  });

  app.get('/signed-out', (_request, reply) => {
    const text = 'Sign in again to use the console.';
    return showMessage(reply, { title: 'You are signed out', text, status: 200, link: signInButton });
  });
}

/** Accepts only a path of the console. For anything else it returns /admin, so there is no open redirect (RFC 9700 4.11). */
function ownPath(path: string | undefined): string {
  return path !== undefined && /^\/admin(?:[/?][\w/?&=%.+~-]*)?$/.test(path) ? path : '/admin';
}

function readPending(cookie: string | undefined): Pending | undefined {
  try {
    const { state, nonce, verifier, goal } = JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString());
    const texts = [state, nonce, verifier, goal].every((text) => typeof text === 'string' && text !== '');
    return texts ? { state, nonce, verifier, goal } : undefined;
  } catch {
    return undefined;
  }
}
