import type { ClientMetadata, Grant, interactionPolicy, KoaContextWithOIDC } from 'oidc-provider';
import { interactionPolicy as policy } from '../store/oidc-provider.ts';

/** Our own client, the admin console. */
export interface FirstPartyClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

export function asClient({ clientId, clientSecret, redirectUri }: FirstPartyClient): ClientMetadata {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    client_name: 'the admin console',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    scope: 'openid',
    // The console checks when the person gave their password (OIDC Core 3.1.3.7).
    require_auth_time: true,
  };
}

/** Finds what the person has consented to. For the console it creates a grant of `openid` without asking. */
export async function grantOf(
  { oidc }: KoaContextWithOIDC,
  { clientId }: FirstPartyClient,
): Promise<Grant | undefined> {
  const { client, session, result, provider } = oidc;
  if (!client || !session) return undefined;
  const id = result?.consent?.grantId ?? session.grantIdFor(client.clientId);
  const known = id === undefined ? undefined : await provider.Grant.find(id);
  if (known || client.clientId !== clientId || session.accountId === undefined) return known;
  const grant = new provider.Grant({ clientId, accountId: session.accountId });
  grant.addOIDCScope('openid');
  await grant.save();
  return grant;
}

/**
 * The questions that the authorization server asks. Our own client always gets the password asked, whatever `prompt` and
 * `max_age` say: a person at the browser can change the address of the request.
 */
export function promptsFor({ clientId }: FirstPartyClient): readonly interactionPolicy.Prompt[] {
  const prompts = policy.base();
  const always = new policy.Check(
    'own_client',
    'Our own client always asks for the password.',
    ({ oidc }) => oidc.client?.clientId === clientId && !oidc.result?.login,
  );
  prompts.get('login')?.checks.add(always);
  return prompts;
}
