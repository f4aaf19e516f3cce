import type { FastifyInstance } from 'fastify';
import { applicationRoutes } from './application-routes.ts';
import { auditPage } from './audit-page.ts';
import { assets, pageHeaders, pageNumber } from './page.ts';
import { peopleRoutes } from './people-routes.ts';
import { type ConsoleOptions, redirect, show, showMessage } from './reply.ts';
import { checkOrigin, cookieJar, FormRefused, findSession, requireSession } from './session.ts';
import { signInPath, signInRoutes } from './sign-in-routes.ts';
import { tokenRoutes } from './token-routes.ts';

const maxFormBytes = 16 * 1024;

/** The admin console as a Fastify plugin. It serves everything below /admin, and / leads there. */
export async function adminConsole(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  app.get('/', (_request, reply) => redirect(reply, '/admin'));
  await app.register(async (scope) => serve(scope, options), { prefix: '/admin' });
}

async function serve(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  const { store, log, publicUrl } = options;
  const jar = cookieJar(publicUrl);
  const headers = pageHeaders(publicUrl);
  app.decorateRequest('session', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
  app.setErrorHandler((error, request, reply) => {
    const status = error instanceof FormRefused ? 403 : statusOf(error);
    const fields = { requestId: request.id, status, err: error };
    if (status >= 500) log.error(fields, 'console request failed');
    else log.info(fields, 'console request refused');
    const reason = error instanceof FormRefused ? error.message : `Please try again. The request id is ${request.id}.`;
    const text = `Nothing was changed. ${reason}`;
    return showMessage(reply, { title: 'This did not work', text, status, session: request.session ?? undefined });
  });

  for (const { path, type, body } of assets) {
    app.get(path, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').send(body),
    );
  }
  signInRoutes(app, options, jar);
  await app.register(async (signedIn) => {
    signedIn.addHook('onRequest', async (request, reply) => {
      request.session = (await findSession(request, store, jar)) ?? null;
      if (request.session) return;
      if (request.method === 'GET' || request.method === 'HEAD') return redirect(reply, signInPath(request.url));
      throw new FormRefused('You are no longer signed in. Sign in and send the form again.');
    });
    signedIn.addHook('preHandler', async (request) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') checkOrigin(request);
    });
    tokenRoutes(signedIn, options);
    applicationRoutes(signedIn, options);
    auditRoutes(signedIn, options);
    peopleRoutes(signedIn, options);
    signedIn.all('/*', ({ session }, reply) => {
      const text = 'The page does not exist, or you have no access to it.';
      return showMessage(reply, { title: 'Page not found', text, status: 404, session: session ?? undefined });
    });
  });
}

function statusOf(error: unknown): number {
  const { statusCode } = Object(error);
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : 500;
}

export function auditRoutes(app: FastifyInstance, { store }: ConsoleOptions): void {
  app.get<{ Querystring: { page?: string } }>('/audit', async (request, reply) => {
    const session = requireSession(request);
    const page = pageNumber(request.query.page);
    const read = await store.auditTrail.read(session.person, page);
    const content = auditPage(read, page, session.person.role === 'super-admin');
    return show(reply, { title: 'Audit trail', session, section: 'audit', content });
  });
}
