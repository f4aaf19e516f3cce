import { randomUUID } from 'node:crypto';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from 'pino';
import type { Store } from '../store/store.ts';
import { operations } from '../terms/operations.ts';
import { Refusal } from '../terms/refusal.ts';
import { policy } from './policy.ts';
import { serveProtectedResource } from './protected-resource.ts';
import { asRefusal, logRefusal } from './render.ts';
import { requestContext, send, serveOperations } from './serve-operations.ts';
import type { Call, ServiceContext } from './steps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The call under way; null on paths that are not an operation. */
    call: Call | null;
  }
}

export type AppOptions = Omit<ServiceContext, 'steps'> & Partial<Pick<ServiceContext, 'steps'>>;

const maxBodyBytes = 256 * 1024;

/**
 * Builds the client API over a store. It does not listen: after `ready()`, pass `app.routing` to a server.
 *
 * @param options.steps the policy, or a copy of it with some steps replaced
 * @throws when `steps.order` does not name every stage once
 */
export function createApp({ steps = policy, ...rest }: AppOptions): FastifyInstance {
  const context: ServiceContext = { steps, ...rest };
  const app = fastify({
    bodyLimit: maxBodyBytes,
    genReqId: () => randomUUID(),
    // A path that cannot be decoded gets 404, like every other unknown path.
    frameworkErrors: (_error, request, reply) =>
      send(reply, steps.renderError(requestContext(context, request), new Refusal('unknown-path'))),
  });
  // Only application/json is accepted (spec 4).
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('call', null);

  app.setErrorHandler((error, request, reply) => {
    const refusal = asRefusal(error);
    logRefusal(context, request, refusal);
    return send(reply, steps.renderError(request.call ?? requestContext(context, request), refusal));
  });
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw noRoute(request);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, call } = request;
    // Health probes come every few seconds; at level info they would fill the log.
    const level = Object.values<string | undefined>(healthPaths).includes(routeOptions.url) ? 'debug' : 'info';
    context.log[level](
      {
        requestId: request.id,
        method,
        path: routeOptions.url,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
        token: call?.credential?.family === 'service' ? call.credential.token.id : call?.credential?.family,
        person: call?.person?.id,
      },
      'answered',
    );
  });
  serveHealth(app, context);
  if (context.protectedResource) serveProtectedResource(app, context.protectedResource);
  serveOperations(app, context);
  return app;
}

function noRoute({ method, url }: FastifyRequest): Refusal {
  const path = url.split('?')[0];
  if (!operations.some((operation) => operation.path === path)) return new Refusal('unknown-path');
  return new Refusal('other-method', { detail: `This path supports POST, not ${method}.`, allow: 'POST' });
}

export const healthPaths = { live: '/health', ready: '/ready' } as const;

/** Probes: `/health` answers while the process runs, `/ready` while the database responds. Both are public, so they say no more. */
export function serveHealth(app: FastifyInstance, { store, log }: { store: Store; log: Logger }): void {
  const headers = { 'cache-control': 'no-store' };
  app.get(healthPaths.live, async (_request, reply) => reply.headers(headers).send({ status: 'live' }));
  app.get(healthPaths.ready, async (request, reply) => {
    try {
      await store.check();
    } catch (err) {
      log.error({ requestId: request.id, err }, 'the database does not respond');
      return reply.code(503).headers(headers).send({ status: 'not ready' });
    }
    return reply.headers(headers).send({ status: 'ready' });
  });
}
