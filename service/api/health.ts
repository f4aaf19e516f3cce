import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Store } from '../store/store.ts';

export const healthPaths = { live: '/health', ready: '/ready' } as const;

/**
 * Liveness and readiness probes. `/health` answers while the process runs, `/ready` while the database also responds. Both
 * are public, so they say nothing else.
 */
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
