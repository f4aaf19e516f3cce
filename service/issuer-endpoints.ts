import { createLocalJWKSet, createRemoteJWKSet, errors, type FlattenedVerifyGetKey, type JSONWebKeySet } from 'jose';
import type { Issuer } from './issuers.ts';
import { Refusal } from './refusal.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** An issuer with what it takes to check its tokens. Keys and discovery document are fetched once and kept. */
export interface OpenIssuer extends Issuer {
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

/** How long an identity provider may take to answer, in milliseconds. */
const patience = 5000;

/** @param localKeys the issuer's public keys where they are at hand; otherwise they are fetched when first needed */
export function openIssuer(row: Issuer, localKeys?: JSONWebKeySet): OpenIssuer {
  const discovery = onceItWorks(() => discover(row));
  const remoteKeys = onceItWorks(async () => {
    const { jwks_uri } = await discovery();
    return createRemoteJWKSet(endpoint(row, 'jwks_uri', jwks_uri), { timeoutDuration: patience });
  });

  return {
    ...row,
    keys: localKeys
      ? createLocalJWKSet(localKeys)
      : async (header, token) => {
          const find = await remoteKeys();
          try {
            return await find(header, token);
          } catch (cause) {
            // No such key is the token's fault; anything else means that the keys could not be had.
            if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys)
              throw cause;
            if (cause instanceof errors.JOSENotSupported) throw cause;
            throw new Refusal('provider-unreachable', { cause });
          }
        },
    tokeninfo: async (token) => {
      if (row.tokens.form !== 'opaque')
        throw new Error(`${row.name} issues JWTs; it has no tokeninfo endpoint to ask.`);
      // In the body: an address, with the token in it, would be logged on the way.
      const body = new URLSearchParams({ access_token: token });
      return ask(row, new URL(row.tokens.tokeninfo), { method: 'POST', body });
    },
    userinfo: async (token) => {
      const { userinfo_endpoint } = await discovery();
      const url = endpoint(row, 'userinfo_endpoint', userinfo_endpoint);
      return ask(row, url, { headers: { authorization: `Bearer ${token}` } });
    },
  };
}

async function discover(row: Issuer): Promise<Claims> {
  const url = new URL(`${row.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const document = await ask(row, url, {});
  if (document?.issuer !== row.issuer) {
    // OIDC Discovery 4.3: otherwise one provider could speak for another.
    throw unreachable(row, `${url} does not describe ${row.issuer}`);
  }
  return document;
}

function endpoint(row: Issuer, name: string, value: unknown): URL {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (!url) throw unreachable(row, `its discovery document names no ${name}`);
  return url;
}

/** The JSON object found there; undefined when the provider refuses the token; a refusal of our own otherwise. */
async function ask(row: Issuer, url: URL, init: RequestInit): Promise<Claims | undefined> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(patience) });
    text = await response.text();
  } catch (cause) {
    throw new Refusal('provider-unreachable', { cause });
  }
  if ([400, 401, 403].includes(response.status)) return undefined;
  if (!response.ok) throw unreachable(row, `${url} answers ${response.status}`);
  const claims = parseObject(text);
  if (!claims) throw unreachable(row, `${url} does not answer a JSON object`);
  return claims;
}

function parseObject(text: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function unreachable(row: Issuer, why: string): Refusal {
  return new Refusal('provider-unreachable', { cause: new Error(`${row.name}: ${why}`) });
}

/** Keeps the first success; a failure is forgotten, so that the next caller tries again. */
function onceItWorks<T>(produce: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    kept ??= produce().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}
