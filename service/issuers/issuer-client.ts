import { createLocalJWKSet, decodeJwt, errors, type FlattenedVerifyGetKey } from 'jose';
import { askIssuer, type Claims, endpoint, unreachable } from './ask-issuer.ts';
import { cacheAnswers, cacheValue, limitConcurrency } from './cache.ts';
import type { Issuer } from './issuers.ts';

export type { Claims } from './ask-issuer.ts';

/** An issuer with its keys and endpoints. Answers of the issuer are cached within limits. */
export interface IssuerClient extends Issuer {
  /** Finds the key of a token, for jose. @throws Refusal `provider-unreachable`; a JOSEError when there is no such key */
  readonly keys: FlattenedVerifyGetKey;
  /** The claims from the issuer's tokeninfo endpoint; undefined when the issuer refuses the token. */
  tokeninfo(token: string): Promise<Claims | undefined>;
  /** The claims from the issuer's userinfo endpoint (OIDC Core 5.3); undefined when the issuer refuses the token. */
  userinfo(token: string): Promise<Claims | undefined>;
}

/** How long each kind of answer is cached, in milliseconds. A token revoked at its issuer is accepted for this time at most. */
export const maxAge = { document: 3_600_000, keys: 600_000, answer: 60_000, refusal: 5000 } as const;

/** Milliseconds before an unknown key id makes the service fetch keys again: anyone can send unknown ids. */
export const keyCooldown = 30_000;

/** For each endpoint of an issuer. */
const maxAnswers = 5000;
const maxRefusals = 1000;

/**
 * The limit of parallel calls to one issuer. Anyone can send unknown opaque tokens, and each of them causes a call. So tokens
 * that the issuer accepted before, and those whose signature is checked, have as many places of their own.
 */
export const maxConcurrentCalls = 64;

interface IssuerClientOptions {
  /** The service's clock, in epoch milliseconds. */
  now: () => number;
  /** Finds the issuer's public keys, where this process knows them. Otherwise they are fetched on demand. */
  localKeys?: FlattenedVerifyGetKey;
}

export function createIssuerClient(row: Issuer, { now, localKeys }: IssuerClientOptions): IssuerClient {
  const discovery = cacheValue(() => discover(row), { now, maxAge: maxAge.document });
  const keys = cacheValue(async () => fetchKeys(row, await discovery()), { now, maxAge: maxAge.keys });
  const refusals = { maxAge: maxAge.refusal, maxEntries: maxRefusals };
  const limits = { now, maxAge: maxAge.answer, maxEntries: maxAnswers, refusals };
  const places = () =>
    limitConcurrency(maxConcurrentCalls, () =>
      unreachable(row, `${maxConcurrentCalls} calls to it are already pending`),
    );
  const [forUnknown, forKnown] = [places(), places()];

  return {
    ...row,
    keys:
      localKeys ??
      (async (header, token) => {
        const find = await keys();
        try {
          return await find(header, token);
        } catch (error) {
          // Issuers rotate their keys (OIDC Core 10.1.1): an unknown key may be newer than the cached keys.
          const newer = error instanceof errors.JWKSNoMatchingKey ? await keys(keyCooldown) : find;
          if (newer !== find) return newer(header, token);
          if (error instanceof errors.JOSEError) throw error;
          throw unreachable(row, `its key cannot be used: ${error}`);
        }
      }),
    tokeninfo: cacheAnswers(
      async (token, wasAccepted) => {
        if (row.tokens.form !== 'opaque')
          throw new Error(`${row.name} issues JWTs; it has no tokeninfo endpoint to ask.`);
        // The token goes into the body, because servers and proxies log URLs.
        const body = new URLSearchParams({ access_token: token });
        const url = new URL(row.tokens.tokeninfo);
        const limited = wasAccepted ? forKnown : forUnknown;
        return limited(() => askIssuer(row, url, { method: 'POST', body }));
      },
      { ...limits, expiryOf: (_token, { exp }) => numericDate(exp, now()) ?? Number.NaN },
    ),
    userinfo: cacheAnswers(
      async (token) => {
        const { userinfo_endpoint } = await discovery();
        const url = endpoint(row, 'userinfo_endpoint', userinfo_endpoint);
        return forKnown(() => askIssuer(row, url, { headers: { authorization: `Bearer ${token}` } }));
      },
      { ...limits, expiryOf: (token) => expiryOfJwt(token, now()) },
    ),
  };
}

async function discover(row: Issuer): Promise<Claims> {
  const url = new URL(`${row.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const document = await askIssuer(row, url);
  if (document?.issuer !== row.issuer) {
    // The issuer in the document must match, or one provider could speak for another (OIDC Discovery 4.3).
    throw unreachable(row, `${url} does not describe ${row.issuer}`);
  }
  return document;
}

async function fetchKeys(row: Issuer, { jwks_uri }: Claims): Promise<FlattenedVerifyGetKey> {
  const url = endpoint(row, 'jwks_uri', jwks_uri);
  const found = await askIssuer(row, url);
  if (!Array.isArray(found?.keys)) throw unreachable(row, `${url} holds no key set`);
  try {
    return createLocalJWKSet({ keys: found.keys });
  } catch {
    throw unreachable(row, `${url} holds no key set`);
  }
}

/** Reads the expiry without verifying the token. It only limits how long the answer is cached. */
function expiryOfJwt(token: string, now: number): number {
  try {
    return numericDate(decodeJwt(token).exp, now) ?? Number.NaN;
  } catch {
    return Number.NaN;
  }
}

const century = 100 * 365.25 * 24 * 60 * 60;

/**
 * Converts a NumericDate (RFC 7519 2), also one in decimal digits, as tokeninfo endpoints send it. A date after more than a
 * century is a mistake of the issuer or an attempt to get a token that never expires.
 *
 * @param now epoch milliseconds
 * @returns epoch milliseconds; undefined for everything else
 */
export function numericDate(value: unknown, now: number): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !(seconds >= 0) || seconds > now / 1000 + century) return undefined;
  return seconds * 1000;
}
