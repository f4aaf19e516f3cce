import { createLocalJWKSet, decodeJwt, errors, type FlattenedVerifyGetKey, type JSONWebKeySet } from 'jose';
import { askIssuer, type Claims, endpoint, unreachable } from './ask-issuer.ts';
import { keepAnswers, keepValue } from './cache.ts';
import { limitConcurrency } from './concurrency-limit.ts';
import type { Issuer } from './issuers.ts';

export type { Claims } from './ask-issuer.ts';

/** An issuer with what it takes to check its tokens. What it says is kept for a while, within bounds. */
export interface IssuerClient extends Issuer {
  /**
   * The key a token's header points to, for jose.
   * @throws Refusal `provider-unreachable`; a JOSEError when the issuer has no such key
   */
  readonly keys: FlattenedVerifyGetKey;
  /** What the issuer's tokeninfo endpoint says of a token; undefined: that it is not, or no longer, one of its own. */
  tokeninfo(token: string): Promise<Claims | undefined>;
  /** What the issuer's userinfo endpoint says of a token's person; undefined as above (OIDC Core 5.3). */
  userinfo(token: string): Promise<Claims | undefined>;
}

/** How long what a provider says is kept, in milliseconds: so late at most is it noticed that a token was revoked there. */
export const keptFor = { document: 3_600_000, keys: 600_000, answer: 60_000, refusal: 5000 } as const;

/** How old the keys must be before an unknown one has them fetched again: such tokens cost nothing to make. */
export const keyCooldown = 30_000;

/** The most answers kept for each endpoint of an issuer, and the most refusals. */
const mostAnswers = 5000;
const mostRefusals = 1000;

/** The most calls about tokens that an issuer gets at once: an opaque one costs nothing to make up, and each is asked about. */
export const maxConcurrentCalls = 64;

export interface IssuerClientOptions {
  /** The service's clock, in epoch milliseconds. */
  now: () => number;
  /** The issuer's public keys where they are at hand; otherwise they are fetched when first needed. */
  localKeys?: JSONWebKeySet;
}

export function createIssuerClient(row: Issuer, { now, localKeys }: IssuerClientOptions): IssuerClient {
  const discovery = keepValue(() => discover(row), { now, longest: keptFor.document });
  const keys = keepValue(async () => fetchKeys(row, await discovery()), { now, longest: keptFor.keys });
  const refusals = { longest: keptFor.refusal, most: mostRefusals };
  const bounds = { now, longest: keptFor.answer, most: mostAnswers, refusals };
  const bounded = limitConcurrency(maxConcurrentCalls, () =>
    unreachable(row, `${maxConcurrentCalls} calls to it are under way already`),
  );

  return {
    ...row,
    keys: localKeys
      ? createLocalJWKSet(localKeys)
      : async (header, token) => {
          const find = await keys();
          try {
            return await find(header, token);
          } catch (error) {
            // Keys change (OIDC Core 10.1.1): an unknown one may be newer than what is kept.
            const newer = error instanceof errors.JWKSNoMatchingKey ? await keys(keyCooldown) : find;
            if (newer !== find) return newer(header, token);
            if (error instanceof errors.JOSEError) throw error;
            throw unreachable(row, `its key cannot be used: ${error}`);
          }
        },
    tokeninfo: keepAnswers(
      async (token) => {
        if (row.tokens.form !== 'opaque')
          throw new Error(`${row.name} issues JWTs; it has no tokeninfo endpoint to ask.`);
        // In the body: an address, with the token in it, would be logged on the way.
        const body = new URLSearchParams({ access_token: token });
        const url = new URL(row.tokens.tokeninfo);
        return bounded(() => askIssuer(row, url, { method: 'POST', body }));
      },
      { ...bounds, endOf: (_token, { exp }) => milliseconds(exp) },
    ),
    userinfo: keepAnswers(
      async (token) => {
        const { userinfo_endpoint } = await discovery();
        const url = endpoint(row, 'userinfo_endpoint', userinfo_endpoint);
        return bounded(() => askIssuer(row, url, { headers: { authorization: `Bearer ${token}` } }));
      },
      { ...bounds, endOf: endOfJwt },
    ),
  };
}

async function discover(row: Issuer): Promise<Claims> {
  const url = new URL(`${row.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const document = await askIssuer(row, url);
  if (document?.issuer !== row.issuer) {
    // OIDC Discovery 4.3: otherwise one provider could speak for another.
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

/** As the token itself says, which bounds what is kept and proves nothing. */
function endOfJwt(token: string): number {
  try {
    return milliseconds(decodeJwt(token).exp);
  } catch {
    return Number.NaN;
  }
}

/** A NumericDate (RFC 7519 2), which tokeninfo endpoints send as text; NaN where it is none. */
function milliseconds(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) * 1000 : Number.NaN;
}
