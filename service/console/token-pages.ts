import { type Html, html } from '../pages/html.ts';
import { lastDay } from '../store/service-token-request.ts';
import type { ServiceToken } from '../store/service-tokens.ts';
import { stateOf } from '../store/token-list.ts';
import { mcpScopes, mcpServer, operations, scopeAreas } from '../terms/operations.ts';
import { csrfField, day, type Session, time } from './page.ts';

export function badge(token: ServiceToken, now: number): Html {
  const state = stateOf(token, now);
  switch (state) {
    case 'active':
      return html`<span class="badge active">Active</span>`;
    case 'expires':
      return html`<span class="badge ${endsSoon(token, now) ? 'soon' : 'active'}">Expires ${end(token)}</span>`;
    case 'expired':
      return html`<span class="badge expired">Expired ${end(token)}</span>`;
    case 'revoked':
      return html`<span class="badge revoked">Revoked</span>`;
  }
}

const twoWeeks = 14 * 24 * 60 * 60 * 1000;

function endsSoon({ expiresAt }: ServiceToken, now: number): boolean {
  return expiresAt !== null && expiresAt - now < twoWeeks;
}

function end({ expiresAt }: ServiceToken): Html | null {
  return expiresAt === null ? null : day(lastDay(expiresAt));
}

export function lastUse({ lastUsedAt }: ServiceToken): Html {
  return lastUsedAt === null ? html`<span class="quiet">never</span>` : time(lastUsedAt);
}

export function permissions({ permission, userEmail }: ServiceToken): Html {
  return permission === 'GLOBAL' ? html`GLOBAL <small>acts as anyone</small>` : html`USER <small>${userEmail}</small>`;
}

/** @param trail the events of this token */
export function tokenPage(token: ServiceToken, now: number, trail: Html): Html {
  const { id, description, revokedAt } = token;
  return html`<div class="top"><h1>${description}</h1>${
    revokedAt === null ? html`<a class="button light" href="/admin/tokens/${id}/revoke">Revoke …</a>` : null
  }</div>
${terms(token, now)}
<h2>Secret</h2>
<p class="lead">The secret was shown once, right after creation. It cannot be shown again. If you lost it, create a new token
and revoke this one.</p>
<h2>Events</h2>
${trail}`;
}

interface CreatedToken {
  readonly token: ServiceToken;
  readonly secret: string;
  /** Email of the creator. */
  readonly creator: string;
  readonly apiUrl: string;
}

/** The only page that shows the secret. */
export function createdPage(created: CreatedToken, now: number): Html {
  const { token, secret } = created;
  const command = curl(created);
  return html`<h1>Token created</h1>
<div class="notice good" role="status"><h2>Copy the secret now</h2>
<p>This is the only time it is shown. Nobody can retrieve it later, not even a Super Admin.</p></div>
<h2 id="secret-title">Token secret</h2>
<p class="secret"><code id="secret" aria-labelledby="secret-title">${secret}</code>
<button type="button" class="button" data-copy="secret" hidden>Copy secret</button></p>
<h2>Try it</h2>
${
  command === undefined
    ? html`<p class="lead">This token covers neither search nor chat, so there is no command to try it with.</p>`
    : html`<p class="lead">Paste this command into a terminal. The answer has status 200.</p>
<pre><code id="curl">${command}</code></pre>
<p><button type="button" class="button light" data-copy="curl" hidden>Copy command</button></p>`
}
${mcpClient(created)}
<h2>${token.description}</h2>
${terms(token, now)}
<p class="actions"><a class="button light" href="/admin">I have copied the secret, back to the tokens</a></p>`;
}

function terms(token: ServiceToken, now: number): Html {
  const { permission, userEmail, scopes, expiresAt, createdAt, createdBy, revokedAt, revokedBy } = token;
  return html`<dl class="terms">
<dt>State</dt><dd>${badge(token, now)}${revokedAt === null ? null : html` ${time(revokedAt)} by ${revokedBy}`}</dd>
<dt>Permissions</dt><dd>${permission === 'USER' ? html`USER: runs as ${userEmail}` : 'GLOBAL: acts as the person in X-Service-ActAs'}</dd>
<dt>Scopes</dt><dd><ul>${scopes.map((scope) => html`<li><code>${scope}</code> <span class="quiet">${scopeAreas[scope]}</span></li>`)}</ul></dd>
<dt>Expires</dt><dd>${expiresAt === null ? 'never' : html`at the end of ${day(lastDay(expiresAt))}`}</dd>
<dt>Created</dt><dd>${time(createdAt)} by ${createdBy}</dd>
<dt>Last use</dt><dd>${lastUse(token)}</dd>
</dl>`;
}

/** The line with which a client of the Model Context Protocol uses the token. */
function mcpClient(created: CreatedToken): Html | null {
  if (!created.token.scopes.includes('MCP')) return null;
  return html`<h2>Connect an MCP client</h2>
<p class="lead">Paste this line into the configuration of the client. It contains the secret.</p>
<pre><code id="mcp">${mcpConfiguration(created.apiUrl, authentication(created))}</code></pre>
<p><button type="button" class="button light" data-copy="mcp" hidden>Copy line</button></p>`;
}

/** The headers of a request with the token. A GLOBAL token acts as its creator. */
function authentication({ token: { permission }, secret, creator }: CreatedToken): Record<string, string> {
  return { Authorization: `Bearer ${secret}`, ...(permission === 'GLOBAL' && { 'X-Service-ActAs': creator }) };
}

/** A shell command that calls the first operation that the token covers. */
function curl(created: CreatedToken): string | undefined {
  const operation = operations.find(({ scope }) => created.token.scopes.includes(scope));
  if (!operation) return undefined;
  const headers = Object.entries({ ...authentication(created), 'Content-Type': 'application/json' });
  return [
    `curl -i ${quoted(created.apiUrl + operation.path)}`,
    ...headers.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  -d ${quoted('{"query":"travel"}')}`,
  ].join(' \\\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function revokePage(token: ServiceToken, now: number, { csrf }: Session): Html {
  const { id, description } = token;
  return html`<h1>Revoke “${description}”?</h1>
<div class="notice bad"><h2>This cannot be undone</h2>
<p>Every further request with this token gets the status 401. Programs that use it need a new token.</p></div>
${terms(token, now)}
<form method="post" action="/admin/tokens/${id}/revoke" class="actions">${csrfField(csrf)}
<button class="button danger">Revoke this token</button>
<a class="button light" href="/admin/tokens/${id}">Keep it</a></form>`;
}

/** Where the scopes are chosen: what MCP is for, and how to connect a client that signs people in itself. */
export function mcpHint(apiUrl: string): Html {
  const tools = mcpScopes.filter((scope) => scope !== mcpServer.scope);
  return html`<details class="hint"><summary>What is MCP for?</summary>
<p>With MCP, a client of the Model Context Protocol can use this token. Its tools search and chat also need ${tools.join(' and ')}.
After the token is created, you get a line to paste into the configuration of the client.</p>
<p>A client that can sign people in needs no token. It needs this line only:</p>
<pre><code id="mcp-sign-in">${mcpConfiguration(apiUrl)}</code></pre>
<p><button type="button" class="button light" data-copy="mcp-sign-in" hidden>Copy line</button></p></details>`;
}

/** What most clients read as their configuration. @param headers absent for a client that signs people in */
export function mcpConfiguration(apiUrl: string, headers?: Readonly<Record<string, string>>): string {
  const server = { type: 'http', url: apiUrl + mcpServer.path, ...(headers && { headers }) };
  return JSON.stringify({ mcpServers: { 'client-api': server } });
}
