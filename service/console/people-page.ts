import { type Html, html } from '../pages/html.ts';
import type { Person } from '../store/people.ts';
import { roleNames } from './page.ts';

/** @param tokens the number of valid tokens by the email of their user */
export function peoplePage(people: readonly Person[], tokens: ReadonlyMap<string, number>): Html {
  return html`<h1>People</h1>
<p class="lead">A Super Admin can create tokens for anyone. An Admin or an API Token Creator can create tokens for themselves. A User
cannot create tokens.</p>
<h2 class="visually-hidden">Everyone</h2>
<table><caption class="visually-hidden">${people.length} people, by name</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Email</th><th scope="col">Role</th><th scope="col">Valid tokens</th></tr></thead>
<tbody>${people.map(
    ({ name, email, role }) => html`<tr>
<td><b>${name}</b></td><td data-name="Email">${email}</td><td data-name="Role">${roleNames[role]}</td>
<td data-name="Tokens">${tokens.get(email) ?? 0}</td></tr>`,
  )}</tbody></table>`;
}
