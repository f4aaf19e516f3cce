import type { Scope } from '../terms/operations.ts';
import { scopes } from '../terms/operations.ts';

/**
 * Who may issue OAuth tokens for this service (spec 5.3.1): the own authorization server and the external identity
 * providers, one row each. Everything by which they differ is in the row.
 */
export interface Issuer {
  /** For logs and error texts. */
  readonly name: string;
  readonly family: 'own' | 'external';
  /** The issuer identifier: `iss` of its tokens, and below it its discovery document. */
  readonly issuer: string;
  readonly tokens:
    | { readonly form: 'jwt'; readonly typ?: string }
    /** Nothing can be read from the token itself; this endpoint vouches for it. */
    | { readonly form: 'opaque'; readonly tokeninfo: string };
  /** `aud` must name this. Absent where `aud` is the client. */
  readonly audience?: string;
  /** The claim that names the client, and which clients are let in. Absent: every client of this issuer. */
  readonly clients?: { readonly claim: string; readonly allowed: readonly string[] };
  readonly person:
    | { readonly by: 'id'; readonly claim: string }
    | { readonly by: 'email'; readonly claim: string; readonly in: 'claims' | 'userinfo' };
  /** The claim that lists permissions, as text or as an array, and what a scope of ours is called there. */
  readonly scopes: { readonly claim: string; readonly names: Partial<Record<Scope, string>> };
}

/** The own authorization server as an issuer: JWT access tokens for this audience (RFC 9068, RFC 8707). */
export function ownIssuer(issuer: string, audience: string): Issuer {
  return {
    name: 'own authorization server',
    family: 'own',
    issuer,
    tokens: { form: 'jwt', typ: 'at+jwt' },
    audience,
    person: { by: 'id', claim: 'sub' },
    scopes: { claim: 'scope', names: Object.fromEntries(scopes.map((scope) => [scope, scope])) },
  };
}

/**
 * Refuses rows that could not work, before the first request.
 *
 * @throws when two rows claim one issuer, or more than one issues opaque tokens (which do not say who issued them)
 */
export function checkIssuers(issuers: readonly Issuer[]): void {
  const seen = new Map<string, string>();
  for (const { name, issuer } of issuers) {
    const other = seen.get(issuer);
    if (other !== undefined) throw new Error(`"${name}" and "${other}" both have the issuer ${issuer}; keep one.`);
    seen.set(issuer, name);
  }
  const opaque = issuers.filter(({ tokens }) => tokens.form === 'opaque').map(({ name }) => `"${name}"`);
  if (opaque.length > 1) {
    throw new Error(`${opaque.join(' and ')} issue opaque tokens, which do not say who issued them; keep one.`);
  }
}
