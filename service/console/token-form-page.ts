import { randomUUID } from 'node:crypto';
import { type Html, html } from '../pages/html.ts';
import type { Person } from '../store/people.ts';
import {
  endOfDay,
  lastDay,
  maxDescriptionLength,
  type TokenProblem,
  type TokenRequest,
} from '../store/service-token-request.ts';
import { offeredSets, scopeAreas, scopes } from '../terms/operations.ts';
import { csrfField, type Session } from './page.ts';
import { mcpHint } from './token-pages.ts';

interface FormPage {
  readonly form: TokenForm;
  readonly problems?: readonly TokenProblem[];
  /** The people to choose from. Empty if the person may create tokens for themselves only. */
  readonly people: readonly Person[];
  readonly session: Session;
  readonly now: number;
  readonly apiUrl: string;
}

/** The id of the element in which a person can fix a problem. */
function elementOf(field: TokenProblem['field'], { permission }: TokenForm): string {
  switch (field) {
    case 'actor':
      return permission === 'USER' ? 'userEmail' : 'permissions';
    case 'permission':
      return 'permissions';
    case 'expiresAt':
      return 'expires';
    case 'description':
    case 'userEmail':
    case 'scopes':
      return field;
  }
}

export function tokenFormPage({ form, problems = [], people, session, now, apiUrl }: FormPage): Html {
  const forAnyone = session.person.role === 'super-admin';
  const problemsOf = (id: string) => problems.filter(({ field }) => elementOf(field, form) === id);
  return html`<h1>Create a token</h1>
<p class="lead">A program uses a token to call the client API. ${
    forAnyone
      ? 'You can create one for anyone.'
      : 'You can create one for yourself. A Super Admin can create one for anyone.'
  }</p>
${problems.length > 0 ? summary(problems, form) : null}
<form method="post" action="/admin/tokens" novalidate>
${/* Enter in a field presses the first button of the form. Without this button, that would be a suggested set. */ null}
<button hidden>Create token</button>
${csrfField(session.csrf)}<input type="hidden" name="form" value="${randomUUID()}">

<div class="field"><label for="description"><b>Description</b></label>
<span class="hint" id="description-hint">What is the token for? The list of tokens shows this text.</span>
${reasons('description', problemsOf('description'))}
<input class="wide" type="text" id="description" name="description" value="${form.description}"
maxlength="${maxDescriptionLength}" autocomplete="off" placeholder="Search box of the intranet" ${described('description', problemsOf('description'))}></div>

<fieldset class="field permissions" id="permissions"><legend>Permissions</legend>
${reasons('permissions', problemsOf('permissions'))}
${permission(form, 'USER', html`<b>USER</b>Runs as one person, with access to that person’s data. Recommended for most applications.`)}
<div class="nested"><label for="userEmail"><b>User email</b></label>
<span class="hint" id="userEmail-hint">${forAnyone ? 'The person the token runs as.' : 'You can create tokens for yourself only.'}</span>
${reasons('userEmail', problemsOf('userEmail'))}
<input class="wide" type="email" id="userEmail" name="userEmail" value="${forAnyone ? form.userEmail : session.person.email}" autocomplete="off"
${forAnyone ? html`list="people"` : html`readonly`} ${described('userEmail', problemsOf('userEmail'))}>
${forAnyone ? html`<datalist id="people">${people.map(({ email, name }) => html`<option value="${email}">${name}</option>`)}</datalist>` : null}</div>
${permission(
  form,
  'GLOBAL',
  html`<b>GLOBAL</b>Acts as the person that each request names in <code>X-Service-ActAs</code>. For tools that serve many people.${
    forAnyone ? null : ' Only a Super Admin can create one.'
  }`,
  forAnyone,
)}
</fieldset>

<fieldset class="field" id="scopes"><legend>Scopes</legend>
<span class="hint">What the token can reach. Choose a set or tick single scopes. They cannot be changed later.</span>
${reasons('scopes', problemsOf('scopes'))}
<div class="sets">${offeredSets.map(
    ({ id, name, scopes: held }) =>
      html`<button name="suggest" value="${id}" data-scopes="${[...held].sort().join(' ')}">${name}</button>`,
  )}</div>
<div class="scopes">${scopes.map(
    (
      scope,
    ) => html`<label><input type="checkbox" name="scopes" value="${scope}"${form.scopes.includes(scope) ? html` checked` : null}>
<span><b>${scope}</b><span>${scopeAreas[scope]}</span></span></label>`,
  )}</div>
${mcpHint(apiUrl)}
</fieldset>

<div class="field"><label for="expires"><b>Expires</b></label>
<span class="hint" id="expires-hint">The last day on which the token works, until midnight UTC. Leave it empty for a token that never expires.</span>
${reasons('expires', problemsOf('expires'))}
<input type="date" id="expires" name="expires" value="${form.expires}" min="${lastDay(now + 1)}" max="9999-12-31" ${described('expires', problemsOf('expires'))}></div>

<p class="actions"><button class="button">Create token</button><a href="/admin">Cancel</a></p>
</form>`;
}

function permission(form: TokenForm, value: string, text: Html, allowed = true): Html {
  return html`<label class="choice"><input type="radio" id="${value}" name="permission" value="${value}"${
    form.permission === value ? html` checked` : null
  }${allowed ? null : html` disabled`}><span>${text}</span></label>`;
}

function summary(problems: readonly TokenProblem[], form: TokenForm): Html {
  return html`<div class="notice bad" role="alert" id="problems" tabindex="-1" autofocus><h2>No token was created</h2><ul>${problems.map(
    ({ field, message }) => html`<li><a href="#${elementOf(field, form)}">${message}</a></li>`,
  )}</ul></div>`;
}

function reasons(id: string, problems: readonly TokenProblem[]): Html | null {
  if (problems.length === 0) return null;
  return html`<span class="problem" id="${id}-problem">${problems.map(({ message }) => message).join(' ')}</span>`;
}

function described(id: string, problems: readonly TokenProblem[]): Html {
  return problems.length === 0
    ? html`aria-describedby="${id}-hint"`
    : html`aria-invalid="true" aria-describedby="${id}-problem ${id}-hint"`;
}

/** The form for a new token, as the person filled it in. It can be shown again. */
export interface TokenForm {
  readonly description: string;
  readonly permission: string;
  readonly userEmail: string;
  readonly scopes: readonly string[];
  /** YYYY-MM-DD, or empty. */
  readonly expires: string;
}

/** USER is selected, because it is recommended (spec 2.1). The user is the person who opens the form. */
export function emptyForm({ email }: Person): TokenForm {
  return { description: '', permission: 'USER', userEmail: email, scopes: [], expires: '' };
}

export function readForm(fields: URLSearchParams): TokenForm {
  const text = (name: string) => fields.get(name) ?? '';
  return {
    description: text('description'),
    permission: text('permission'),
    userEmail: text('userEmail'),
    scopes: fields.getAll('scopes'),
    expires: text('expires').trim(),
  };
}

/** Replaces the scopes of the form by an offered set; undefined when the person did not choose a set. */
export function suggested(form: TokenForm, fields: URLSearchParams): TokenForm | undefined {
  const wanted = offeredSets.find(({ id }) => id === fields.get('suggest'));
  return wanted && { ...form, scopes: wanted.scopes };
}

export function asRequest({ expires, userEmail, ...form }: TokenForm): TokenRequest {
  return {
    ...form,
    // The email belongs to the choice USER. With GLOBAL it is left over and ignored.
    ...(form.permission !== 'GLOBAL' && { userEmail }),
    ...(expires !== '' && { expiresAt: endOfDay(expires) }),
  };
}
