import type { FastifyInstance, FastifyReply } from 'fastify';
import { html } from '../pages/html.ts';
import { maySeePeople, type Session } from './page.ts';
import { peoplePage, removePersonPage } from './people-page.ts';
import { type ConsoleOptions, redirect, show, showMessage } from './reply.ts';
import { requireSession } from './session.ts';

interface OnePerson {
  Params: { id: string };
}

export function peopleRoutes(app: FastifyInstance, { store }: ConsoleOptions): void {
  app.get('/people', async (request, reply) => {
    const session = requireSession(request);
    if (!maySeePeople(session.person)) {
      const text = 'Only Super Admins and Admins can see the list of people.';
      return showMessage(reply, { title: 'You have no access to this page', text, status: 403, session });
    }
    const content = peoplePage(await store.people.all(), await store.tokenList.countByUser(), session);
    return show(reply, { title: 'People', session, section: 'people', content });
  });

  app.get<OnePerson>('/people/:id/remove', async (request, reply) => {
    const session = requireSession(request);
    const mayRemove = session.person.role === 'super-admin' && request.params.id !== session.person.id;
    const person = mayRemove ? await store.people.findById(request.params.id) : undefined;
    if (!person) return notRemovable(reply, session);
    const content = removePersonPage(person, session);
    return show(reply, { title: 'Remove a person', session, section: 'people', narrow: true, content });
  });

  app.post<OnePerson>('/people/:id/remove', async (request, reply) => {
    const session = requireSession(request);
    const result = await store.people.remove(session.person, request.params.id);
    return result === 'removed' ? redirect(reply, '/admin/people') : notRemovable(reply, session);
  });
}

function notRemovable(reply: FastifyReply, session: Session): FastifyReply {
  const text = 'Only a Super Admin can remove a person, and never themselves. Or the person is already removed.';
  const link = html`<a href="/admin/people">Back to the people</a>`;
  return showMessage(reply, { title: 'Nobody was removed', text, status: 403, session, link });
}
