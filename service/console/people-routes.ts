import type { FastifyInstance } from 'fastify';
import { maySeePeople } from './page.ts';
import { peoplePage } from './people-page.ts';
import { type ConsoleOptions, show, showMessage } from './reply.ts';
import { requireSession } from './session.ts';

export function peopleRoutes(app: FastifyInstance, { store }: ConsoleOptions): void {
  app.get('/people', async (request, reply) => {
    const session = requireSession(request);
    if (!maySeePeople(session.person)) {
      const text = 'Only Super Admins and Admins can see the list of people.';
      return showMessage(reply, { title: 'You have no access to this page', text, status: 403, session });
    }
    const content = peoplePage(await store.people.all(), await store.tokenList.countByUser());
    return show(reply, { title: 'People', session, section: 'people', content });
  });
}
