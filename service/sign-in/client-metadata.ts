import type { ClientMetadata, KoaContextWithOIDC } from 'oidc-provider';
import { errors } from '../store/oidc-provider.ts';
import { redirectKind } from '../terms/redirect-uri.ts';
import { clientNameProblem } from './client-name.ts';
import type { FirstPartyClient } from './first-party-client.ts';
import type { RegistrationLimit } from './registration-limit.ts';

/** The server would send a request to these addresses. */
const fetched = ['sector_identifier_uri', 'jwks_uri'] as const;
/** This server does not use these, so it does not store what strangers put there. */
const unused = [
  'client_uri',
  'contacts',
  'default_acr_values',
  'initiate_login_uri',
  'jwks',
  'logo_uri',
  'policy_uri',
  'tos_uri',
] as const;

const maxRedirectUris = 20;

export interface ClientPolicy {
  /** The scopes that a client can register. */
  readonly scopes: readonly string[];
  readonly grantTypes: readonly string[];
  /** Our own client, which is configured and not registered. */
  readonly own: FirstPartyClient;
  readonly limit: RegistrationLimit;
}

/**
 * Makes the check of client metadata (RFC 7591 2). oidc-provider calls it for each registration and each time it loads a
 * client. It throws for what is dangerous, and replaces what this server does not support, as RFC 7591 2 allows.
 */
export function createClientPolicy({ scopes, grantTypes, own, limit }: ClientPolicy) {
  return (ctx: KoaContextWithOIDC | undefined, _key: string, _value: unknown, metadata: ClientMetadata): void => {
    if (metadata.client_id === own.clientId) return;
    for (const field of fetched) {
      if (metadata[field] !== undefined)
        throw new errors.InvalidClientMetadata(`${field} is not supported: this server fetches nothing for a client`);
    }
    for (const field of unused) delete metadata[field];
    checkName(metadata.client_name);
    metadata.application_type = applicationType(metadata);
    if (typeof metadata.scope === 'string') {
      const known = [...new Set(metadata.scope.split(' '))].filter((scope) => scopes.includes(scope));
      // An empty list would not bind the client.
      if (known.length === 0)
        throw new errors.InvalidClientMetadata('scope names no scope of this server; see scopes_supported');
      metadata.scope = known.join(' ');
    }
    if (Array.isArray(metadata.grant_types))
      metadata.grant_types = metadata.grant_types.filter((type) => grantTypes.includes(type));
    // There is a context when a client registers, and none when it is loaded.
    if (ctx) checkLimit(ctx, limit);
  };
}

function checkLimit(ctx: KoaContextWithOIDC, limit: RegistrationLimit): void {
  const wait = limit();
  if (wait === undefined) return;
  ctx.set('retry-after', String(wait));
  const error = new errors.TemporarilyUnavailable(`too many clients registered; try again in ${wait} seconds`);
  throw Object.assign(error, { status: 429, statusCode: 429 });
}

function checkName(name: unknown): void {
  if (name === undefined) return;
  const problem = typeof name === 'string' ? clientNameProblem(name) : 'client_name must be a text';
  if (problem !== undefined) throw new errors.InvalidClientMetadata(problem);
}

/** A client with a redirect URI on the device of the person is native (RFC 8252): any loopback port, and always a consent. */
function applicationType({ redirect_uris: uris, application_type: given }: ClientMetadata): 'native' | 'web' {
  if (!Array.isArray(uris) || uris.length === 0) return 'web';
  if (uris.length > maxRedirectUris)
    throw invalidRedirectUri(`redirect_uris has ${uris.length} members; use at most ${maxRedirectUris}`);
  const kinds = uris.map((uri: unknown) => (typeof uri === 'string' ? redirectKind(uri) : undefined));
  if (kinds.includes(undefined))
    throw invalidRedirectUri(
      'redirect_uris may contain https, http on a loopback address, and private schemes of apps, without a fragment',
    );
  return given === 'native' || kinds.some((kind) => kind !== 'web') ? 'native' : 'web';
}

/** RFC 7591 3.2.2 */
function invalidRedirectUri(description: string): Error {
  return new errors.CustomOIDCProviderError('invalid_redirect_uri', description);
}
