import { type Html, html } from '../pages/html.ts';
import type { ServiceToken } from '../store/service-tokens.ts';
import { type TokenFilter, type TokenPage, type TokenState, tokenStates } from '../store/token-list.ts';
import { mayCreate, pager, type Session } from './page.ts';
import { badge, lastUse, permissions } from './token-pages.ts';

const stateNames: Readonly<Record<TokenState, string>> = {
  active: 'Active, no expiry',
  expires: 'Active, with expiry',
  expired: 'Expired',
  revoked: 'Revoked',
};

/** How many scopes a row names. The others are only counted. */
const namedScopes = 3;

export function tokenListPage(listed: TokenPage, filter: TokenFilter, now: number, { person }: Session): Html {
  const filtered = filter.words !== '' || filter.state !== undefined;
  return html`<div class="top"><h1>Tokens</h1>${
    mayCreate(person) ? html`<a class="button main" href="/admin/tokens/new">Create token</a>` : null
  }</div>
${listed.total > 0 || filtered ? filterForm(filter) : null}
${listed.tokens.length > 0 ? html`${table(listed, now)}${listPager(listed, filter)}` : emptyList(filtered, mayCreate(person))}`;
}

function filterForm({ words, state }: TokenFilter): Html {
  const option = (value: string, name: string) =>
    html`<option value="${value}"${value === (state ?? '') ? html` selected` : null}>${name}</option>`;
  return html`<form class="filter" method="get" action="/admin" role="search">
<label>Find <input type="search" name="words" value="${words}" placeholder="description or email"></label>
<label>State <select name="state">${option('', 'Any')}${tokenStates.map((known) => option(known, stateNames[known]))}</select></label>
<button class="button light">Filter</button>
</form>`;
}

function table({ tokens, total }: TokenPage, now: number): Html {
  return html`<table>
<caption class="visually-hidden">${total === 1 ? '1 token' : `${total} tokens`}, newest first</caption>
<thead><tr><th scope="col">Description</th><th scope="col">Permissions</th><th scope="col">Scopes</th>
<th scope="col">State</th><th scope="col">Last use</th></tr></thead>
<tbody>${tokens.map((token) => row(token, now))}</tbody>
</table>`;
}

function row(token: ServiceToken, now: number): Html {
  const { id, description, scopes } = token;
  const more = scopes.length > namedScopes ? ` and ${scopes.length - namedScopes + 1} more` : '';
  const named = scopes.slice(0, more === '' ? namedScopes : namedScopes - 1).join(', ');
  return html`<tr>
<td class="name"><a href="/admin/tokens/${id}">${description}</a></td>
<td data-name="Permissions"><span class="nowrap">${permissions(token)}</span></td>
<td data-name="Scopes"><span>${named}${more}</span></td>
<td data-name="State">${badge(token, now)}</td>
<td data-name="Last use"><span class="nowrap">${lastUse(token)}</span></td>
</tr>`;
}

function listPager({ pages }: TokenPage, { words, state, page }: TokenFilter): Html | null {
  return pager('/admin', page, page < pages, { words, state: state ?? '' });
}

function emptyList(filtered: boolean, create: boolean): Html {
  if (filtered) return html`<div class="empty"><p>No tokens match. <a href="/admin">Show all</a></p></div>`;
  return html`<div class="empty"><p>There are no tokens yet.</p>${
    create ? null : html`<p class="quiet">You may not create tokens. Ask an Admin for the role API Token Creator.</p>`
  }</div>`;
}
