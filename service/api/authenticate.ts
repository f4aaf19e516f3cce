import { decodeJwt } from 'jose';
import type { IssuerClient } from '../issuers/issuer-client.ts';
import { type ServiceToken, secretPrefix } from '../store/service-tokens.ts';
import { Refusal } from '../terms/refusal.ts';
import type { Credential } from './credential.ts';
import type { Call } from './steps.ts';

/** What the token is: service-issued, or an OAuth token whose issuer vouches for it (spec 1, 5.3). */
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

/** By the whole secret, whatever X-Service-Auth-Type says: these tokens do not need that header (spec 5.1). */
export async function findServiceToken({ store }: Call, token: string): Promise<ServiceToken | undefined> {
  return token.startsWith(secretPrefix) ? store.serviceTokens.find(token) : undefined;
}

/**
 * Whose token it says it is: a JWT names its issuer, and of any other only the one issuer of opaque tokens can tell. A
 * token in the form of our own secrets is nobody else's: it must not be shown to an identity provider.
 */
export function recogniseIssuer({ issuers }: Call, token: string): IssuerClient | undefined {
  if (token.startsWith(secretPrefix)) return undefined;
  if (!jwtForm.test(token)) return issuers.find(({ tokens }) => tokens.form === 'opaque');
  const claimed = claimedIssuer(token);
  return issuers.find(({ issuer, tokens }) => tokens.form === 'jwt' && issuer === claimed);
}

/** Spec 5.1 and 7: required for external tokens, optional for our own; what cannot be told apart is an invalid secret. */
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
