import { compactVerify, errors } from 'jose';
import { parseObject } from '../issuers/ask-issuer.ts';
import { type Claims, type IssuerClient, numericDate } from '../issuers/issuer-client.ts';
import { isScope, type Scope } from '../terms/operations.ts';
import { Refusal } from '../terms/refusal.ts';
import type { OAuthCredential } from './credential.ts';
import type { Call } from './steps.ts';

/** Asymmetric algorithms only: neither `none` nor a secret that clients share (RFC 8725 3.1). */
const algorithms = ['ES256', 'ES384', 'PS256', 'RS256'];

/** Verifies the token as RFC 9068 4 requires. Expiry is left to `checkExpiry`, the one step for tokens of every kind. */
export async function verifyOAuthToken(call: Call, issuer: IssuerClient, token: string): Promise<OAuthCredential> {
  const { steps } = call;
  const claims =
    issuer.tokens.form === 'jwt'
      ? await steps.verifySignature(call, issuer, token)
      : await steps.askTokeninfo(call, issuer, token);
  await steps.checkAudience(call, issuer, claims);
  await steps.checkClient(call, issuer, claims);
  await steps.checkGrant(call, issuer, claims);
  const expiresAt = numericDate(claims.exp, call.now());
  const notBefore = claims.nbf === undefined ? null : numericDate(claims.nbf, call.now());
  // An access token must have an expiry (RFC 9068 2.2). A date that we cannot read must not count as no date.
  if (expiresAt === undefined || notBefore === undefined) throw new Refusal('invalid-token');
  const scopes = steps.readScopes(call, issuer, claims);
  return { family: issuer.family, issuer, claims, scopes, expiresAt, notBefore };
}

/** Returns the claims of a JWT after checking its signature. `recogniseIssuer` has already compared `iss`. */
export async function verifySignature(_call: Call, issuer: IssuerClient, token: string): Promise<Claims> {
  try {
    const { payload, protectedHeader } = await compactVerify(token, issuer.keys, { algorithms });
    const typ = issuer.tokens.form === 'jwt' ? issuer.tokens.typ : undefined;
    // An ID token of the same issuer is not an access token (RFC 9068 4).
    if (typ !== undefined && mediaType(protectedHeader.typ) !== typ) throw new Refusal('invalid-token');
    const claims = parseObject(new TextDecoder().decode(payload));
    if (!claims) throw new Refusal('invalid-token');
    return claims;
  } catch (cause) {
    if (cause instanceof errors.JOSEError) throw new Refusal('invalid-token', { cause });
    throw cause;
  }
}

export async function askTokeninfo(_call: Call, issuer: IssuerClient, token: string): Promise<Claims> {
  const claims = await issuer.tokeninfo(token);
  if (!claims) throw new Refusal('invalid-token');
  return claims;
}

/** The token must be issued for this service (RFC 9068 4, RFC 8707 2). */
export function checkAudience(_call: Call, { audience }: IssuerClient, { aud }: Claims): void {
  if (audience !== undefined && !listed(aud).includes(audience)) throw new Refusal('invalid-token');
}

/** The client that got the token must be one of the allowed clients, where the issuer lists them. */
export function checkClient(_call: Call, { clients }: IssuerClient, claims: Claims): void {
  if (clients && !clients.allowed.some((client) => client === claims[clients.claim]))
    throw new Refusal('invalid-token');
}

/** The consent behind one of our own tokens must still exist: the token itself cannot be taken back. */
export async function checkGrant({ store }: Call, { family }: IssuerClient, { grant }: Claims): Promise<void> {
  if (family !== 'own') return;
  if (typeof grant !== 'string' || !(await store.consents.isValid(grant))) throw new Refusal('invalid-token');
}

/** Translates the issuer's permission names into our scopes. Unknown names are ignored. */
export function readScopes(_call: Call, { scopes: { claim, names } }: IssuerClient, claims: Claims): readonly Scope[] {
  const value = claims[claim];
  const held = typeof value === 'string' ? value.split(' ') : listed(value);
  return Object.keys(names)
    .filter(isScope)
    .filter((scope) => held.includes(names[scope] ?? scope));
}

/** `aud` is one string or an array (RFC 7519 4.1.3); so are some issuers' permissions. */
function listed(value: unknown): string[] {
  return [value].flat().filter((item) => typeof item === 'string');
}

/** `typ` may omit `application/`, and its letter case does not matter (RFC 7515 4.1.9). */
function mediaType(typ: string | undefined): string | undefined {
  return typ?.toLowerCase().replace(/^application\//, '');
}
