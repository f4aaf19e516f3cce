import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Store } from '../store/store.ts';

export const healthPaths = { live: '/health', ready: '/ready' } as const;

/**
 * For whoever runs the service: `/health` answers while the process does, `/ready` while it can also serve requests. Neither
 * says more than that, for anybody may ask.
 */
export function serveHealth(app: FastifyInstance, { store, log }: { store: Store; log: Logger }): void {
  const headers = { 'cache-control': 'no-store' };
  app.get(healthPaths.live, async (_request, reply) => reply.headers(headers).send({ status: 'live' }));
  app.get(healthPaths.ready, async (request, reply) => {
    try {
      await store.check();
    } catch (err) {
      log.error({ requestId: request.id, err }, 'the database does not answer');
      return reply.code(503).headers(headers).send({ status: 'not ready' });
    }
    return reply.headers(headers).send({ status: 'ready' });
  });
}
