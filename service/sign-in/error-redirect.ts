import type { OIDCContext, Provider } from 'oidc-provider';
import { redirectKind, redirectTarget } from '../terms/redirect-uri.ts';
import { shownName } from './client-name.ts';
import { pageHeaders, returnPage } from './sign-in-pages.ts';

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
