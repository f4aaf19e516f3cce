import type { FastifyInstance } from 'fastify';
import { auditPage } from './audit-page.ts';
import { pageNumber } from './pager.ts';
import { type ConsoleOptions, show } from './reply.ts';
import { requireSession } from './session.ts';

export function auditRoutes(app: FastifyInstance, { store }: ConsoleOptions): void {
  app.get<{ Querystring: { page?: string } }>('/audit', async (request, reply) => {
    const session = requireSession(request);
    const page = pageNumber(request.query.page);
    const read = await store.auditTrail.read(session.person, page);
    const content = auditPage(read, page, session.person.role === 'super-admin');
    return show(reply, { title: 'Audit trail', session, section: 'audit', content });
  });
}
