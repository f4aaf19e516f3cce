import type { Provider } from 'oidc-provider';
import { isScope } from '../terms/operations.ts';

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type Result = Parameters<Provider['interactionFinished']>[2];

export const denied: Result = { error: 'access_denied', error_description: 'The person did not consent.' };

/** Adds what the person allows now to the scopes that they allowed this client before. */
export async function grant(provider: Provider, { grantId, params, prompt, session }: Interaction): Promise<Result> {
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const granted = known ?? new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
  const { missingOIDCScope, missingResourceScopes } = missing(prompt.details);
  if (missingOIDCScope) granted.addOIDCScope(missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
    granted.addResourceScope(resource, scopes.join(' '));
  }
  return { consent: { grantId: await granted.save() } };
}

/**
 * All scopes that the request asks for at each resource. The page also lists what was granted before: a native client gets the
 * page each time, because another program may use its name (RFC 8252 8.6).
 */
export function requestedAccess({ params }: Interaction): { resource: string; scopes: readonly string[] }[] {
  const scopes = String(params.scope ?? '')
    .split(' ')
    .filter(isScope);
  if (scopes.length === 0) return [];
  return [params.resource ?? []].flat().map((resource) => ({ resource: String(resource), scopes }));
}

interface Missing {
  missingOIDCScope?: string[];
  missingResourceScopes?: Record<string, string[]>;
}

/** The scopes that are not granted yet. oidc-provider does not type these details. */
function missing(details: Missing): Missing {
  return details;
}
