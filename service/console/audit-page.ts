import { type Html, html } from '../pages/html.ts';
import type { AuditEvent, AuditPage } from '../store/audit-trail.ts';
import { pager, time } from './page.ts';

/** @param all whether the viewer sees the events of everybody */
export function auditPage(read: AuditPage, page: number, all: boolean): Html {
  return html`<h1>Audit trail</h1>
<p class="lead">${all ? 'Who did what, and when.' : 'What you did and what happened to your tokens.'} Events cannot be changed or deleted.</p>
<h2 class="visually-hidden">Events</h2>
${events(read)}
${pager('/admin/audit', page, read.hasMore)}`;
}

export function events({ events: list }: AuditPage): Html {
  if (list.length === 0) return html`<div class="empty"><p>There are no events yet.</p></div>`;
  return html`<ol class="events">${list.map((event) => html`<li>${time(event.at)}<span>${sentence(event)}</span></li>`)}</ol>`;
}

function sentence({ actor, action, token, detail }: AuditEvent): Html {
  const link = token && html`<a href="/admin/tokens/${token.id}"><bdi>${token.description}</bdi></a>`;
  const client = html`<b><bdi>${detail}</bdi></b>`;
  switch (action) {
    case 'token created':
      return html`${actor} created the token ${link}`;
    case 'token revoked':
      return html`${actor} revoked the token ${link}`;
    case 'token refused':
      return html`${actor} was refused a ${detail}`;
    case 'signed in':
      return html`${actor} signed in${detail === null ? null : html` to ${client}`}`;
    case 'sign-in failed':
      return html`A sign-in as ${actor} failed`;
    case 'signed out':
      return html`${actor} signed out`;
    case 'password changed':
      return html`The password of ${actor} was changed. Their sessions and the access of their applications ended`;
    case 'person removed':
      return html`${actor} removed ${detail}. Their sessions, tokens and the access of their applications ended`;
    case 'client registered':
      return html`An application registered itself: ${client}`;
    case 'client revoked':
      return html`${actor} removed the application ${client}`;
    case 'grant created':
      return html`${actor} allowed access to ${client}`;
    case 'grant revoked':
      return html`The access of ${client} for ${actor} ended`;
    case 'tool called':
      return html`${actor} called the tool ${detail}${link === null ? ' with an application' : html` with the token ${link}`}`;
    case 'keys rotated':
      return html`The keys of the authorization server rotated ${detail}`;
  }
}
