import type { FastifyInstance } from 'fastify';
import { html } from '../pages/html.ts';
import { sessionSeconds } from '../store/console-sessions.ts';
import type { CookieJar } from './cookies.ts';
import { type ConsoleOptions, redirect, showMessage } from './reply.ts';
import { checkOrigin, findSession, sessionCookie } from './session.ts';
import { type Pending, SignInRefused } from './sign-in-client.ts';

const pendingCookie = 'console-sign-in';
/** How long a sign-in may take, in seconds; the authorization server gives as much. */
const pendingSeconds = 10 * 60;

const signInButton = html`<a class="button" href="/admin">Sign in</a>`;

/** Where the browser signs in, to return to this page of the console. */
export function signInPath(goal: string): string {
  return `/admin/sign-in?${new URLSearchParams({ goal })}`;
}

/** The pages on the way in and out. */
export function signInRoutes(app: FastifyInstance, { store, log, signIn }: ConsoleOptions, jar: CookieJar): void {
  app.get<{ Querystring: { goal?: string } }>('/sign-in', (request, reply) => {
    const { location, pending } = signIn.begin(ownPath(request.query.goal));
    const kept = Buffer.from(JSON.stringify(pending)).toString('base64url');
    return redirect(reply.header('set-cookie', jar.write(pendingCookie, kept, pendingSeconds)), location);
  });

  app.get('/signed-in', async (request, reply) => {
    const pending = readPending(jar.read(request.headers.cookie, pendingCookie));
    const answer = new URL(request.url, 'http://console').searchParams;
    try {
      const person = await store.people.findById(await signIn.finish(answer, pending));
      if (!person) throw new SignInRefused('Nobody here is known by that name.');
      // A new session for every sign-in; the one that the browser brought may have been planted.
      const before = jar.read(request.headers.cookie, sessionCookie);
      if (before !== undefined) await store.consoleSessions.end(before);
      const session = await store.consoleSessions.begin(person);
      await store.auditTrail.signedIn(person);
      reply.header('set-cookie', [jar.write(sessionCookie, session, sessionSeconds), jar.write(pendingCookie, '', 0)]);
      return redirect(reply, ownPath(pending?.goal));
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      log.info({ requestId: request.id, reason: error.message }, 'console sign-in refused');
      const text = `${error.message} Please start again.`;
      return showMessage(reply, { title: 'You are not signed in', text, status: 403, onward: signInButton });
    }
  });

  app.post('/sign-out', async (request, reply) => {
    request.session = (await findSession(request, store, jar)) ?? null;
    if (request.session) {
      checkOrigin(request);
      await store.consoleSessions.end(jar.read(request.headers.cookie, sessionCookie) ?? '');
      await store.auditTrail.signedOut(request.session.person);
    }
    return redirect(reply.header('set-cookie', jar.write(sessionCookie, '', 0)), '/admin/signed-out');
  });

  app.get('/signed-out', (_request, reply) => {
    const text = 'This browser no longer reaches the console.';
    return showMessage(reply, { title: 'You are signed out', text, status: 200, onward: signInButton });
  });
}

/** A path of the console, whatever was asked for: nobody is led elsewhere (RFC 9700 4.11). */
function ownPath(path: string | undefined): string {
  return path !== undefined && /^\/admin(?:[/?][\w/?&=%.+~-]*)?$/.test(path) ? path : '/admin';
}

function readPending(kept: string | undefined): Pending | undefined {
  try {
    const { state, nonce, verifier, goal } = JSON.parse(Buffer.from(kept ?? '', 'base64url').toString());
    const texts = [state, nonce, verifier, goal].every((text) => typeof text === 'string' && text !== '');
    return texts ? { state, nonce, verifier, goal } : undefined;
  } catch {
    return undefined;
  }
}
