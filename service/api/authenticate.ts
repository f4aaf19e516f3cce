import { decodeJwt } from 'jose';
import type { IssuerClient } from '../issuers/issuer-client.ts';
import { type ServiceToken, secretPrefix } from '../store/service-tokens.ts';
import { Refusal } from '../terms/refusal.ts';
import type { Credential } from './credential.ts';
import type { AuthHeaders, Call, RequestContext } from './steps.ts';

/** Decides whether the token is service-issued or an OAuth token, and verifies it (spec 1, 5.3). */
export async function authenticate(call: Call, token: string): Promise<Credential> {
  const { steps } = call;
  const found = await steps.findServiceToken(call, token);
  if (found) {
    return { family: 'service', token: found, scopes: found.scopes, expiresAt: found.expiresAt, notBefore: null };
  }
  const issuer = steps.recogniseIssuer(call, token);
  await steps.requireAuthType(call, issuer);
  if (!issuer) throw new Refusal('invalid-token');
  return steps.verifyOAuthToken(call, issuer, token);
}

/** X-Service-Auth-Type plays no part here: service-issued tokens do not need it (spec 5.1). */
export async function findServiceToken({ store }: Call, token: string): Promise<ServiceToken | undefined> {
  return token.startsWith(secretPrefix) ? store.serviceTokens.find(token) : undefined;
}

/**
 * Finds the issuer that the token claims to come from. A JWT names its issuer. Every other token is assumed to come from the
 * issuer of opaque tokens; there is at most one. A token with our own prefix is never sent to an identity provider.
 */
export function recogniseIssuer({ issuers }: Call, token: string): IssuerClient | undefined {
  if (token.startsWith(secretPrefix)) return undefined;
  if (!jwtForm.test(token)) return issuers.find(({ tokens }) => tokens.form === 'opaque');
  const claimed = claimedIssuer(token);
  return issuers.find(({ issuer, tokens }) => tokens.form === 'jwt' && issuer === claimed);
}

/**
 * X-Service-Auth-Type is required for external tokens and optional for our own (spec 5.1). Without it, a JWT of a known
 * issuer gets the message about the missing header, and every other token `Invalid Secret` (spec 7).
 */
export function requireAuthType({ headers }: Call, issuer: IssuerClient | undefined): void {
  if (headers.authType === 'OAUTH' || issuer?.family === 'own') return;
  throw new Refusal(issuer?.tokens.form === 'jwt' ? 'auth-type-missing' : 'invalid-secret');
}

const jwtForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;

function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** A token is refused from the moment of its expiry on. There is no clock tolerance (spec 3, 7; RFC 7519 4.1.4, 4.1.5). */
export function checkExpiry({ now }: Call, { expiresAt, notBefore }: Credential): void {
  if (expiresAt !== null && now() >= expiresAt) throw new Refusal('expired-token');
  if (notBefore !== null && now() < notBefore) throw new Refusal('invalid-token');
}

/** The token must hold the scope that covers the operation (spec 4). */
export function requireScope({ operation: { scope } }: Call, credential: Credential): void {
  if (credential.scopes.includes(scope)) return;
  throw new Refusal('insufficient-scope', { detail: `The access token lacks the scope ${scope}.`, scope });
}

/**
 * Reads the three headers of spec 5.1. A header in two lines is refused: if a proxy and this service picked different
 * lines, they would disagree about the caller. An authentication type other than OAUTH is refused too, and a blank one says
 * nothing.
 */
export function readHeaders({ request }: RequestContext): AuthHeaders {
  // `request.headers` would silently drop or join repeated lines.
  const one = (name: string): string | undefined => {
    const [line, ...more] = request.headersDistinct[name] ?? [];
    if (more.length > 0) throw new Refusal('doubled-header');
    return line;
  };
  const authType = one('x-service-auth-type') || undefined;
  if (authType !== undefined && authType !== 'OAUTH') throw new Refusal('other-auth-type');
  return { authorization: one('authorization'), actAs: one('x-service-actas'), authType };
}

/** Reads the token of `Authorization: Bearer <token>`: in any letter case, after one or more spaces (RFC 9110 11.1, 11.4). */
export function readBearer({ headers: { authorization } }: Call): string {
  if (authorization === undefined || !/^bearer\b/i.test(authorization)) throw new Refusal('no-token');
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw new Refusal('malformed-authorization');
  return token;
}
