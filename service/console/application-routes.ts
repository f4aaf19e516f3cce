import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Html, html } from '../pages/html.ts';
import type { ClientPage, Consent, RegisteredClient } from '../store/consents.ts';
import { redirectTarget } from '../terms/redirect-uri.ts';
import { csrfField, pageNumber, pager, type Session, time } from './page.ts';
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

/** @param all every registered client, for a Super Admin; null for everyone else */
export function applicationsPage(consents: readonly Consent[], all: ClientPage | null, page: number): Html {
  return html`<h1>Applications</h1>
<p class="lead">Applications registered themselves at this service and chose their names themselves. They act for a person only with
the person's consent.</p>
<h2>With access to your account</h2>
${consents.length === 0 ? html`<div class="empty"><p>No application acts for you.</p></div>` : yours(consents)}
${all === null ? null : everyones(all, page)}`;
}

function yours(consents: readonly Consent[]): Html {
  return html`<table><caption class="visually-hidden">Applications that act for you, by name</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Returns to</th><th scope="col">Scopes</th><th scope="col">Action</th></tr></thead>
<tbody>${consents.map(
    ({ client, scopes }) => html`<tr>
<td><b>${name(client)}</b></td><td data-name="Returns to">${targets(client)}</td><td data-name="Scopes"><span>${scopes.join(', ') || 'none'}</span></td>
<td data-name="Action"><a class="nowrap" href="/admin/applications/${client.clientId}/revoke">Revoke access …<span class="visually-hidden"> of ${name(client)}</span></a></td></tr>`,
  )}</tbody></table>`;
}

function everyones({ clients, hasMore }: ClientPage, page: number): Html {
  if (clients.length === 0)
    return html`<h2>All applications</h2><div class="empty"><p>No application is registered.</p></div>`;
  return html`<h2>All applications</h2>
<table><caption class="visually-hidden">All applications, those that people consented to first</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Returns to</th><th scope="col">People</th><th scope="col">Registered</th><th scope="col">Action</th></tr></thead>
<tbody>${clients.map(
    (client) => html`<tr>
<td><b>${name(client)}</b></td><td data-name="Returns to">${targets(client)}</td><td data-name="People">${client.people}</td>
<td data-name="Registered"><span class="nowrap">${client.registeredAt === null ? null : time(client.registeredAt)}</span></td>
<td data-name="Action"><a class="nowrap" href="/admin/applications/${client.clientId}/remove">Remove …<span class="visually-hidden"> ${name(client)}</span></a></td></tr>`,
  )}</tbody></table>
${pager('/admin/applications', page, hasMore)}`;
}

function name(client: RegisteredClient): Html {
  return html`<bdi>${client.name}</bdi>`;
}

function targets({ redirectUris }: RegisteredClient): Html {
  return html`<span class="address">${[...new Set(redirectUris.map(redirectTarget))].join(', ')}</span>`;
}

export function revokeAccessPage(client: RegisteredClient, session: Session): Html {
  return html`<h1>Revoke the access of “${name(client)}”?</h1>
<div class="notice bad"><h2>It stops acting for you at once</h2>
<p>To use it again, sign in to it again and consent again.</p></div>
${confirm(`/admin/applications/${client.clientId}/revoke`, 'Revoke its access', session)}`;
}

export function removeApplicationPage(client: RegisteredClient, session: Session): Html {
  return html`<h1>Remove “${name(client)}”?</h1>
<div class="notice bad"><h2>It stops acting for everyone at once</h2>
<p>It has to register again, and everyone who uses it has to consent again.</p></div>
<dl class="terms"><dt>Returns to</dt><dd>${targets(client)}</dd>${
    client.registeredAt === null ? null : html`<dt>Registered</dt><dd>${time(client.registeredAt)}</dd>`
  }</dl>
${confirm(`/admin/applications/${client.clientId}/remove`, 'Remove this application', session)}`;
}

function confirm(action: string, label: string, { csrf }: Session): Html {
  return html`<form method="post" action="${action}" class="actions">${csrfField(csrf)}
<button class="button danger">${label}</button>
<a class="button light" href="/admin/applications">Keep it</a></form>`;
}
