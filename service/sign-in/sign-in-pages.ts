import { createHash } from 'node:crypto';
import { type Html, html } from '../pages/html.ts';
import { style } from '../pages/style.ts';
import { isScope } from '../terms/operations.ts';
import { scopeAreas } from '../terms/scope-areas.ts';

/**
 * Headers for every page: no script, no frame around it, nothing kept (RFC 9700 4.16). Nothing about where forms lead: the
 * way back to a client is a redirect after a form, and browsers hold that against `form-action`.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
    "base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** What was typed before, and why it did not do. */
export interface Again {
  readonly email: string;
  readonly problem: string;
}

export function loginPage(client: string, again?: Again): string {
  const first = again === undefined;
  const focus = html` autofocus`;
  const wrong = first ? null : html` aria-invalid="true" aria-describedby="wrong"`;
  return page(
    'Sign in',
    html`<p class="lead">to continue to <b>${client}</b></p>
${again ? html`<p class="wrong" id="wrong" role="alert">${again.problem}</p>` : null}
<form method="post">
<p class="field"><label for="email"><b>Email</b></label>
<input class="wide" type="email" id="email" name="email" value="${again?.email ?? ''}" autocomplete="username" required${first ? focus : null}${wrong}></p>
<p class="field"><label for="password"><b>Password</b></label>
<input class="wide" type="password" id="password" name="password" autocomplete="current-password" required${first ? null : focus}${wrong}></p>
<p class="actions"><button class="button main">Sign in</button></p>
</form>`,
  );
}

export interface Consent {
  client: string;
  /** Name and email of whoever is signed in. */
  person: { readonly name: string; readonly email: string } | undefined;
  /** What the client would reach: each resource with the scopes asked for. */
  access: readonly { resource: string; scopes: readonly string[] }[];
  /** Where the browser is sent afterwards. */
  redirectUri: string;
}

export function consentPage({ client, person, access, redirectUri }: Consent): string {
  const rows = access.map(
    ({ resource, scopes }) => html`<p class="hint">At <span class="address">${resource}</span>:</p>
<ul class="asked">${scopes.map((scope) => html`<li><b>${scope}</b>${isScope(scope) ? html`<span>${scopeAreas[scope]}</span>` : null}</li>`)}</ul>`,
  );
  return page(
    'Allow access?',
    html`<p class="lead"><b>${client}</b> asks to act for you, <b>${person?.name ?? 'unknown'}</b>${
      person ? html` <span class="address">(${person.email})</span>` : null
    }${rows.length > 0 ? ', with these scopes.' : '.'}</p>
${rows}
<p class="hint">It gave itself that name. Allow it only if you began this, and know where you are sent back to:
<span class="address">${URL.parse(redirectUri)?.host || redirectUri}</span></p>
<form method="post" class="actions">
<button class="button" name="decision" value="allow">Allow</button>
<button class="button light" name="decision" value="deny">Deny</button>
</form>`,
  );
}

export function errorPage(message: string): string {
  return page(
    'This did not work',
    html`<p class="notice bad" role="alert">${message}</p>
<p>Go back to where you came from and start again.</p>`,
  );
}

function page(title: string, content: Html): string {
  // The style is put in as it is: the policy names it by its hash, and it has no quotes of ours to mind.
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Client API</title>
<style>${{ markup: style }}</style>
</head>
<body class="door">
<main id="content">
<p class="brand">Client API</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  return markup;
}
