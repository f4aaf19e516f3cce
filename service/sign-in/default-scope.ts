import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import { errors } from '../store/oidc-provider.ts';

/** A refresh token is issued without being asked for, so this scope alone requests nothing. */
const withoutAccess = 'offline_access';

/**
 * Makes the check of the `scope` in an authorization request (RFC 6749 3.3). Without it, the scopes that the client registered
 * count, or else the defaults of the resource. Unknown scopes are dropped. A request that is left with nothing is refused: the person would
 * be asked to consent to nothing.
 */
export function scopeCheck(known: readonly string[], resources: readonly [Resource, ...Resource[]]) {
  return ({ oidc }: KoaContextWithOIDC, requested: string | undefined, client: Client): void => {
    const resource = resources.find(({ audience }) => audience === oidc.params?.['resource']) ?? resources[0];
    const given = requested?.split(' ') ?? client.scope?.split(' ') ?? resource.defaultScopes;
    const scopes = given.filter((scope) => known.includes(scope));
    if (scopes.every((scope) => scope === withoutAccess))
      throw new errors.InvalidScope('the request names no scope of this server; see scopes_supported', given.join(' '));
    Object.assign(oidc.params ?? {}, { scope: scopes.join(' ') });
  };
}

/** A resource that tokens are issued for (RFC 8707). */
export interface Resource {
  /** An absolute URI. It becomes the `aud` of the tokens. */
  readonly audience: string;
  readonly scopes: readonly string[];
  /** For a client that neither registered nor requests any. */
  readonly defaultScopes: readonly string[];
}
