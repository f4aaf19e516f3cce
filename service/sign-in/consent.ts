import type { Provider } from 'oidc-provider';

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

export function requestedAccess({ prompt }: Interaction): { resource: string; scopes: readonly string[] }[] {
  const { missingResourceScopes } = missing(prompt.details);
  return Object.entries(missingResourceScopes ?? {}).map(([resource, scopes]) => ({ resource, scopes }));
}

interface Missing {
  missingOIDCScope?: string[];
  missingResourceScopes?: Record<string, string[]>;
}

/** The scopes that are not granted yet. oidc-provider does not type these details. */
function missing(details: Missing): Missing {
  return details;
}
