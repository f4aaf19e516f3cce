import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Html, html } from '../pages/html.ts';
import type { Person } from '../store/people.ts';
import { csrfField, maySeePeople, roleNames, type Session } from './page.ts';
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

/** @param tokens the number of valid tokens by the email of their user */
export function peoplePage(
  people: readonly Person[],
  tokens: ReadonlyMap<string, number>,
  { person: viewer }: Session,
): Html {
  const mayRemove = viewer.role === 'super-admin';
  return html`<h1>People</h1>
<p class="lead">A Super Admin can create tokens for anyone. An Admin or an API Token Creator can create tokens for themselves. A User
cannot create tokens.</p>
<h2 class="visually-hidden">Everyone</h2>
<table><caption class="visually-hidden">${people.length} people, by name</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Email</th><th scope="col">Role</th><th scope="col">Valid tokens</th>${
    mayRemove ? html`<th scope="col">Action</th>` : null
  }</tr></thead>
<tbody>${people.map(
    ({ id, name, email, role }) => html`<tr>
<td><b><bdi>${name}</bdi></b></td><td data-name="Email">${email}</td><td data-name="Role">${roleNames[role]}</td>
<td data-name="Tokens">${tokens.get(email) ?? 0}</td>${
      mayRemove
        ? html`<td data-name="Action">${id === viewer.id ? html`<span class="quiet">you</span>` : removeLink(id, name)}</td>`
        : null
    }</tr>`,
  )}</tbody></table>`;
}

function removeLink(id: string, name: string): Html {
  return html`<a href="/admin/people/${id}/remove">Remove …<span class="visually-hidden"> <bdi>${name}</bdi></span></a>`;
}

export function removePersonPage({ id, name, email, role }: Person, { csrf }: Session): Html {
  return html`<h1>Remove <bdi>${name}</bdi>?</h1>
<div class="notice bad"><h2>This cannot be undone</h2>
<p>Their sessions and the access of their applications end at once. The tokens that they created or that run as them are revoked,
because they have seen the secrets. The audit trail keeps their name, and nobody else gets their email.</p></div>
<dl class="terms"><dt>Email</dt><dd>${email}</dd><dt>Role</dt><dd>${roleNames[role]}</dd></dl>
<form method="post" action="/admin/people/${id}/remove" class="actions">${csrfField(csrf)}
<button class="button danger">Remove this person</button>
<a class="button light" href="/admin/people">Keep them</a></form>`;
}
