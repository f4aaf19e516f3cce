import { createHash } from 'node:crypto';
import type { OIDCContext, Provider } from 'oidc-provider';
import { type Html, html, style } from '../pages/html.ts';
import { isScope, scopeAreas } from '../terms/operations.ts';
import { redirectKind, redirectTarget } from '../terms/redirect-uri.ts';
import { shownName } from './client-metadata.ts';

/**
 * Headers of every page: no scripts, no framing (RFC 9700 4.16), no caching. The policy has no `form-action`, because browsers
 * apply it also to the redirect back to the client after the form.
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

export interface ShownClient {
  /** The client chose it itself, so it may be anything. It is shown in `<bdi>`, which keeps its direction to itself. */
  readonly name: string;
  readonly isOwn: boolean;
  /** Where the browser goes afterwards. */
  readonly target: string;
}

/** A refused attempt. The page shows its email and the reason. */
interface FailedAttempt {
  readonly email: string;
  readonly problem: string;
}

export function loginPage({ name, isOwn, target }: ShownClient, failed?: FailedAttempt): string {
  const isFirst = failed === undefined;
  const focus = html` autofocus`;
  const invalid = isFirst ? null : html` aria-invalid="true" aria-describedby="problem"`;
  return page(
    'Sign in',
    html`<p class="lead">to continue to <b><bdi>${name}</bdi></b></p>
${isOwn ? null : html`<p class="hint">You will return to <span class="address"><bdi>${target}</bdi></span>.</p>`}
${failed ? html`<p class="problem" id="problem" role="alert">${failed.problem}</p>` : null}
<form method="post">
<p class="field"><label for="email"><b>Email</b></label>
<input class="wide" type="email" id="email" name="email" value="${failed?.email ?? ''}" autocomplete="username" required${isFirst ? focus : null}${invalid}></p>
<p class="field"><label for="password"><b>Password</b></label>
<input class="wide" type="password" id="password" name="password" autocomplete="current-password" required${isFirst ? null : focus}${invalid}></p>
<p class="actions"><button class="button main">Sign in</button></p>
</form>`,
  );
}

interface Consent {
  client: ShownClient;
  /** The person who is signed in. */
  person: { readonly name: string; readonly email: string } | undefined;
  /** The requested scopes of each resource. */
  access: readonly { resource: string; scopes: readonly string[] }[];
}

export function consentPage({ client, person, access }: Consent): string {
  const rows = access.map(
    ({ resource, scopes }) => html`<p class="hint">At <span class="address">${resource}</span>:</p>
<ul class="requested">${scopes.map((scope) => html`<li><b>${scope}</b>${isScope(scope) ? html`<span>${scopeAreas[scope]}</span>` : null}</li>`)}</ul>`,
  );
  return page(
    'Allow access?',
    html`<p class="lead"><b><bdi>${client.name}</bdi></b> wants to ${
      rows.length > 0 ? 'act for you' : 'know who you are'
    }, <b><bdi>${person?.name ?? 'unknown'}</bdi></b>${
      person ? html` <span class="address">(${person.email})</span>` : null
    }${rows.length > 0 ? ', with these scopes.' : '.'}</p>
${rows}
<p class="hint">The application chose this name itself. Allow access only if you started this and trust the address that you
will return to: <span class="address"><bdi>${client.target}</bdi></span></p>
<form method="post" class="actions">
<button class="button" name="decision" value="allow">Allow</button>
<button class="button light" name="decision" value="deny">Deny</button>
</form>`,
  );
}

/** What a client asked for wrongly, and the site that it wants the browser to go to. */
interface HeldRedirect {
  readonly name: string;
  readonly target: string;
  readonly problem: string;
  /** Empty: the client wanted a form, which has no address. */
  readonly location: string;
}

function returnPage({ name, target, problem, location }: HeldRedirect): string {
  const site = html`<span class="address"><bdi>${target}</bdi></span>`;
  return page(
    'This did not work',
    html`<p class="notice bad" role="alert">${problem}</p>
<p><b><bdi>${name}</bdi></b> sent this request. It chose this name itself, and wants you to go to ${site}.</p>
${location === '' ? null : html`<p class="actions"><a href="${location}" rel="noreferrer">Go to ${site}</a></p>`}
<p class="hint">Go there only if you came from there.</p>`,
  );
}

export function errorPage(message: string): string {
  return page(
    'This did not work',
    html`<p class="notice bad" role="alert">${message}</p>
<p>Go back to the application and start again.</p>`,
  );
}

function page(title: string, content: Html): string {
  // The style is inserted without escaping, because the policy contains the hash of exactly this text.
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Client API</title>
<style>${{ markup: style }}</style>
</head>
<body class="sign-in">
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

/**
 * Shows a page in place of an automatic redirect with an error, when the redirect leads to a web site that the person has not
 * consented to. Anyone can register a client, so a wrong request would otherwise turn every link to this server into a link to
 * the site of an attacker (RFC 9700 4.11.2).
 */
export function holdErrorRedirects(provider: Provider, ownClientId: string): void {
  const failures = new WeakMap<object, string>();
  provider.on('authorization.error', (ctx, { allow_redirect, error, error_description }) => {
    // Without a redirect, the answer is a page already. A wrong redirect URI comes second and counts.
    if (allow_redirect) failures.set(ctx.req, error_description ?? error);
    else failures.delete(ctx.req);
  });
  provider.use(async (ctx, next) => {
    await next();
    const problem = failures.get(ctx.req);
    const oidc: OIDCContext | undefined = ctx.oidc;
    const { client, params } = oidc ?? {};
    const uri = params?.redirect_uri;
    if (problem === undefined || !oidc || !client || typeof uri !== 'string' || redirectKind(uri) !== 'web') return;
    if (client.clientId === ownClientId || isTrusted(oidc)) return;
    const location = ctx.response.get('location');
    ctx.remove('location');
    ctx.status = 400;
    ctx.set({ ...pageHeaders });
    const name = shownName(client);
    ctx.body = returnPage({ name, target: redirectTarget(uri), problem, location });
  });
}

/** The person comes from a page of ours that named the site, or consented to the client in this session. */
function isTrusted({ client, route, session }: OIDCContext): boolean {
  return route === 'resume' || session?.grantIdFor(client?.clientId ?? '') !== undefined;
}
