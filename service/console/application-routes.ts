import type { FastifyInstance, FastifyReply } from 'fastify';
import { html } from '../pages/html.ts';
import { applicationsPage, removeApplicationPage, revokeAccessPage } from './application-pages.ts';
import type { Session } from './page.ts';
import { pageNumber } from './pager.ts';
import { type ConsoleOptions, redirect, show, showMessage } from './reply.ts';
import { requireSession } from './session.ts';

interface OneClient {
  Params: { id: string };
}

/** The registered clients, which the pages call applications. */
export function applicationRoutes(app: FastifyInstance, { store: { consents } }: ConsoleOptions): void {
  app.get<{ Querystring: { page?: string } }>('/applications', async (request, reply) => {
    const session = requireSession(request);
    const page = pageNumber(request.query.page);
    const all = session.person.role === 'super-admin' ? await consents.clients(page) : null;
    const content = applicationsPage(await consents.of(session.person), all, page);
    return show(reply, { title: 'Applications', session, section: 'applications', content });
  });

  app.get<OneClient>('/applications/:id/revoke', async (request, reply) => {
    const session = requireSession(request);
    const own = await consents.of(session.person);
    const found = own.find(({ client }) => client.clientId === request.params.id);
    if (!found) return noSuchClient(reply, session);
    const content = revokeAccessPage(found.client, session);
    return show(reply, { title: 'Revoke access', session, section: 'applications', narrow: true, content });
  });

  app.post<OneClient>('/applications/:id/revoke', async (request, reply) => {
    const session = requireSession(request);
    if (!(await consents.revoke(session.person, request.params.id))) return noSuchClient(reply, session);
    return redirect(reply, '/admin/applications');
  });

  app.get<OneClient>('/applications/:id/remove', async (request, reply) => {
    const session = requireSession(request);
    const client = session.person.role === 'super-admin' ? await consents.find(request.params.id) : undefined;
    if (!client) return noSuchClient(reply, session);
    const content = removeApplicationPage(client, session);
    return show(reply, { title: 'Remove an application', session, section: 'applications', narrow: true, content });
  });

  app.post<OneClient>('/applications/:id/remove', async (request, reply) => {
    const session = requireSession(request);
    const isAllowed = session.person.role === 'super-admin';
    if (!isAllowed || !(await consents.revokeClient(session.person, request.params.id)))
      return noSuchClient(reply, session);
    return redirect(reply, '/admin/applications');
  });
}

function noSuchClient(reply: FastifyReply, session: Session): FastifyReply {
  const text = 'The application does not exist, or you have no access to it.';
  const link = html`<a href="/admin/applications">Back to the applications</a>`;
  return showMessage(reply, { title: 'Application not found', text, status: 404, session, link });
}
