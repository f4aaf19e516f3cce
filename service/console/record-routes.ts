import type { FastifyInstance } from 'fastify';
import { maySeePeople } from './page.ts';
import { pageNumber } from './pager.ts';
import { auditPage, peoplePage } from './record-pages.ts';
import { type ConsoleOptions, show, showMessage } from './reply.ts';
import { requireSession } from './session.ts';

/** What happened, and who there is. */
export function recordRoutes(app: FastifyInstance, { store }: ConsoleOptions): void {
  app.get<{ Querystring: { page?: string } }>('/audit', async (request, reply) => {
    const session = requireSession(request);
    const page = pageNumber(request.query.page);
    const read = await store.auditTrail.read(session.person, page);
    const content = auditPage(read, page, session.person.role === 'super-admin');
    return show(reply, { title: 'Audit trail', session, section: 'audit', content });
  });

  app.get('/people', async (request, reply) => {
    const session = requireSession(request);
    if (!maySeePeople(session.person)) {
      const text = 'Super Admins and Admins see who has which role.';
      return showMessage(reply, { title: 'You may not see this page', text, status: 403, session });
    }
    const content = peoplePage(await store.people.all(), await store.tokenList.countByUser());
    return show(reply, { title: 'People', session, section: 'people', content });
  });
}
