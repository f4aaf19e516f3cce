import { CompactSign, generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import type { IssuerClient } from '../issuers/issuer-client.ts';
import type { Call } from './steps.ts';
import { askTokeninfo, checkAudience, readScopes, verifySignature } from './verify-oauth-token.ts';

const call = {} as Call;
const invalid = expect.objectContaining({ reason: 'invalid-token' });
const claims = { sub: 'ann' };

/** Verifies a JWT with this header, which is signed with a key of its algorithm. */
async function verified(header: { alg: string; typ?: string }, typ?: string) {
  const { privateKey, publicKey } = await generateKeyPair(header.alg);
  const payload = new TextEncoder().encode(JSON.stringify(claims));
  const token = await new CompactSign(payload).setProtectedHeader(header).sign(privateKey);
  const issuer = { keys: async () => publicKey, tokens: { form: 'jwt', typ } } as unknown as IssuerClient;
  return verifySignature(call, issuer, token);
}

describe('a signature', () => {
  test.each(['RS256', 'PS256', 'ES256', 'ES384'])('is accepted with %s', async (alg) => {
    expect(await verified({ alg })).toEqual(claims);
  });

  test.each(['RS512', 'PS384', 'ES512', 'EdDSA'])('is refused with %s, although it is right', async (alg) => {
    await expect(verified({ alg })).rejects.toEqual(invalid);
  });
});

describe('the typ of a JWT', () => {
  test.each(['at+jwt', 'AT+JWT', 'application/at+jwt'])('may be %s', async (typ) => {
    expect(await verified({ alg: 'RS256', typ }, 'at+jwt')).toEqual(claims);
  });

  test.each([undefined, 'JWT', 'x/application/at+jwt'])('may not be %s', async (typ) => {
    await expect(verified({ alg: 'RS256', ...(typ !== undefined && { typ }) }, 'at+jwt')).rejects.toEqual(invalid);
  });

  test('does not matter if the issuer has none', async () => {
    expect(await verified({ alg: 'RS256', typ: 'JWT' })).toEqual(claims);
  });
});

test('an opaque token has the claims that its issuer answers, and is refused without an answer', async () => {
  const issuer = (answer: object | undefined) => ({ tokeninfo: async () => answer }) as unknown as IssuerClient;
  expect(await askTokeninfo(call, issuer(claims), 'opaque')).toEqual(claims);
  await expect(askTokeninfo(call, issuer(undefined), 'opaque')).rejects.toEqual(invalid);
});

test('the audience is checked where the issuer has one, alone or in a list', () => {
  const check = (audience: string | undefined, aud: unknown) => () =>
    checkAudience(call, { audience } as unknown as IssuerClient, { aud });
  expect(check(undefined, 'anything')).not.toThrow();
  expect(check('api', 'api')).not.toThrow();
  expect(check('api', ['other', 'api'])).not.toThrow();
  for (const aud of ['other', ['other'], undefined, 5, ['API']]) expect(check('api', aud)).toThrow(invalid);
});

test('scopes are the names of permissions that the issuer is configured with, in a text or a list', () => {
  const issuer = { scopes: { claim: 'scp', names: { SEARCH: 'api.search', CHAT: 'api.chat', NONE: 'api.none' } } };
  const scopes = (scp: unknown) => readScopes(call, issuer as unknown as IssuerClient, { scp });
  expect(scopes('api.search api.none other')).toEqual(['SEARCH']);
  expect(scopes(['api.chat', 5, 'api.search'])).toEqual(['SEARCH', 'CHAT']);
  expect(scopes(undefined)).toEqual([]);
});
