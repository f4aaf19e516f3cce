import type { Scope } from '../terms/operations.ts';
import { scopes } from '../terms/operations.ts';

/**
 * An issuer of OAuth tokens for this service (spec 5.3): our own authorization server or an external identity provider. All
 * differences between issuers are in these fields.
 */
export interface Issuer {
  /** For logs and error messages. */
  readonly name: string;
  readonly family: 'own' | 'external';
  /** The issuer identifier: the `iss` of its tokens and the base of its discovery document. */
  readonly issuer: string;
  readonly tokens:
    | { readonly form: 'jwt'; readonly typ?: string }
    /** The token has no readable content. The tokeninfo endpoint returns its claims. */
    | { readonly form: 'opaque'; readonly tokeninfo: string };
  /** `aud` must contain this. Absent for an issuer whose `aud` is the client. */
  readonly audience?: string;
  /** The claim that names the client, and the allowed clients. Absent: every client of this issuer is allowed. */
  readonly clients?: { readonly claim: string; readonly allowed: readonly string[] };
  /** What replaces `audience` and `clients` at the remote MCP server. Absent: it refuses the tokens of this issuer. */
  readonly mcp?: Pick<Issuer, 'audience' | 'clients'>;
  readonly person:
    | { readonly by: 'id'; readonly claim: string }
    | { readonly by: 'email'; readonly claim: string; readonly in: 'claims' | 'userinfo' };
  /** The claim with the permissions, a string or an array, and the issuer's names of our scopes. */
  readonly scopes: { readonly claim: string; readonly names: Partial<Record<Scope, string>> };
}

/** Our own authorization server as an issuer. It issues JWT access tokens for this audience (RFC 9068, RFC 8707). */
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

/** @throws when two issuers have the same identifier, or more than one issues opaque tokens, which do not name their issuer */
export function checkIssuers(issuers: readonly Issuer[]): void {
  const seen = new Map<string, string>();
  for (const { name, issuer } of issuers) {
    const other = seen.get(issuer);
    if (other !== undefined) throw new Error(`"${name}" and "${other}" both have the issuer ${issuer}; keep one.`);
    seen.set(issuer, name);
  }
  const opaque = issuers.filter(({ tokens }) => tokens.form === 'opaque').map(({ name }) => `"${name}"`);
  if (opaque.length > 1) {
    throw new Error(`${opaque.join(' and ')} issue opaque tokens, which do not name their issuer; keep one.`);
  }
}
