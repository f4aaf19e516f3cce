import { type Html, html } from '../pages/html.ts';
import type { AuditEvent, AuditPage } from '../store/audit-trail.ts';
import type { Person } from '../store/people.ts';
import { roleNames, time } from './page.ts';
import { pager } from './pager.ts';

export function auditPage(read: AuditPage, page: number, all: boolean): Html {
  return html`<h1>Audit trail</h1>
<p class="lead">${all ? 'Who did what, and when.' : 'What you did, and what was done with your tokens.'} Nothing here can be changed or removed.</p>
<h2 class="unseen">Events</h2>
${events(read)}
${pager('/admin/audit', page, read.hasMore)}`;
}

export function events({ events: list }: AuditPage): Html {
  if (list.length === 0) return html`<div class="empty"><p>Nothing has happened yet.</p></div>`;
  return html`<ol class="events">${list.map((event) => html`<li>${time(event.at)}<span>${sentence(event)}</span></li>`)}</ol>`;
}

function sentence({ actor, action, token, detail }: AuditEvent): Html {
  const named = token && html`<a href="/admin/tokens/${token.id}">${token.description}</a>`;
  switch (action) {
    case 'token created':
      return html`${actor} created the token ${named}`;
    case 'token revoked':
      return html`${actor} revoked the token ${named}`;
    case 'token refused':
      return html`${actor} was refused a ${detail}`;
    case 'signed in':
      return html`${actor} signed in`;
    case 'sign-in failed':
      return html`A sign-in as ${actor} failed`;
    case 'signed out':
      return html`${actor} signed out`;
  }
}

export function peoplePage(people: readonly Person[], tokens: ReadonlyMap<string, number>): Html {
  return html`<h1>People</h1>
<p class="lead">A Super Admin creates tokens for anyone, an Admin or API Token Creator for themselves. Users create none.</p>
<h2 class="unseen">Everyone</h2>
<table><caption class="unseen">${people.length} people, by name</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Email</th><th scope="col">Role</th><th scope="col">Working tokens</th></tr></thead>
<tbody>${people.map(
    ({ name, email, role }) => html`<tr>
<td><b>${name}</b></td><td data-name="Email">${email}</td><td data-name="Role">${roleNames[role]}</td>
<td data-name="Tokens">${tokens.get(email) ?? 0}</td></tr>`,
  )}</tbody></table>`;
}
