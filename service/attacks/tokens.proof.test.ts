import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { CompactSign, decodeJwt, decodeProtectedHeader, exportJWK, importJWK, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { secretOfPriya, send } from '../testing/attacker.ts';
import { at, demoService, password, personNamed } from '../testing/client.ts';
import { browse, type StockClient, stockClient } from '../testing/stock-client.ts';

let service: RunningService;
let app: StockClient;
let genuine: string;
let publicKey: JWK;
let secret: string;
/** A key of the attacker. */
const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });

beforeAll(async () => {
  service = await demoService();
  app = await stockClient(service.apiUrl);
  genuine = (await app.signIn({ email: at('priya'), password }, 'SEARCH')).accessToken;
  const { json } = await send(`${service.authorizationServerUrl}/jwks`);
  publicKey = Object(json['keys'])[0];
  secret = await secretOfPriya(service);
});
afterAll(() => service?.close());

const path = '/rest/api/v1/search';
const use = (token: string, headers: Record<string, string> = {}) =>
  send(service.apiUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: '{"query":"a"}',
  });
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = () => ({ ...decodeProtectedHeader(genuine), alg: 'ES256' });
/** The claims of the genuine token with some changed, signed by the attacker. */
const forged = (changes: object, head: object = {}) =>
  new SignJWT({ ...decodeJwt(genuine), ...changes }).setProtectedHeader({ ...header(), ...head }).sign(own.privateKey);

test('the genuine token is accepted, so that the refusals below mean something', async () => {
  expect((await use(genuine)).status).toBe(200);
  expect((await use(secret)).status).toBe(200);
});

describe('a JWT of an attacker (RFC 8725 2, 3)', () => {
  test('signed with a key of their own is refused', async () => {
    expect((await use(await forged({}))).status).toBe(401);
  });

  test.each(['none', 'None', 'NONE', 'nOnE', ''])('with the algorithm "%s" is refused (RFC 8725 2.1)', async (alg) => {
    const [, claims = '', signature = ''] = genuine.split('.');
    for (const end of ['', signature])
      expect((await use(`${encode({ ...header(), alg })}.${claims}.${end}`)).status).toBe(401);
  });

  test('signed with the public key as a shared secret is refused (RFC 8725 2.1)', async () => {
    for (const key of [JSON.stringify(publicKey), String(publicKey.x), ''])
      for (const alg of ['HS256', 'HS384', 'HS512']) {
        const bytes = Buffer.from(key.padEnd(64, '\0'));
        const token = await new CompactSign(Buffer.from(JSON.stringify(decodeJwt(genuine))))
          .setProtectedHeader({ ...header(), alg })
          .sign(bytes);
        expect((await use(token)).status).toBe(401);
      }
  });

  test.each<[string, (jwk: JWK) => object]>([
    ['its own key in the header (jwk)', (jwk) => ({ jwk })],
    ['an address of its own keys (jku)', () => ({ jku: 'http://127.0.0.1:1/jwks' })],
    ['a certificate of its own (x5c)', () => ({ x5c: ['MIIB'] })],
    ['an address of a certificate (x5u)', () => ({ x5u: 'http://127.0.0.1:1/cert' })],
    ['no key id', () => ({ kid: undefined })],
    ['a key id that is a path', () => ({ kid: '../../../dev/null' })],
    ['a key id that is SQL', () => ({ kid: "' UNION SELECT 'x" })],
    ['a key id of a property of every object', () => ({ kid: '__proto__' })],
    ['an extension that nobody knows', () => ({ crit: ['exp'], exp: 1 })],
  ])('with %s is refused, and nothing is fetched (RFC 8725 3.10)', async (_what, more) => {
    const jwk = await exportJWK(own.publicKey);
    const token = `${encode({ ...header(), ...more(jwk) })}.${genuine.split('.')[1]}.${(await forged({})).split('.')[2]}`;
    expect((await use(token)).status).toBe(401);
  });

  test.each([
    ['all zero', Buffer.alloc(64)],
    ['empty', Buffer.alloc(0)],
    [
      'of the group order',
      Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'.repeat(2), 'hex'),
    ],
    ['too long', Buffer.alloc(65, 1)],
    ['DER', Buffer.from('3006020101020101', 'hex')],
  ])('with a signature that is %s is refused (CVE-2022-21449)', async (_what, signature) => {
    const [head, claims] = genuine.split('.');
    expect((await use(`${head}.${claims}.${signature.toString('base64url')}`)).status).toBe(401);
  });

  test.each<[string, object]>([
    ['the expiry', { exp: 9_999_999_999 }],
    ['the person', { sub: randomUUID() }],
    ['the scopes', { scope: 'SEARCH CHAT' }],
    ['the audience', { aud: ['x', 'y'] }],
  ])('whose %s was changed after it was signed is refused', async (_what, changes) => {
    const [head, , signature] = genuine.split('.');
    expect((await use(`${head}.${encode({ ...decodeJwt(genuine), ...changes })}.${signature}`)).status).toBe(401);
  });

  test.each([
    ['dots only', '..'],
    ['five parts', 'a.b.c.d.e'],
    ['padding', 'PADDED'],
    ['a JSON serialization', '{"payload":"x"}'],
    ['claims that are a list', `${encode({ alg: 'ES256' })}.${encode([])}.AAAA`],
    ['claims that are null', `${encode({ alg: 'ES256' })}.${encode(null)}.AAAA`],
    ['a header that is no JSON', 'eA.eA.eA'],
    ['twelve kilobytes', `${'a'.repeat(4000)}.${'b'.repeat(4000)}.${'c'.repeat(4000)}`],
  ])('of the form %s is refused', async (_what, text) => {
    const token = text === 'PADDED' ? `${genuine}==` : text;
    for (const headers of [{}, { 'x-service-auth-type': 'OAUTH' }])
      expect([400, 401]).toContain((await use(token, headers)).status);
  });
});

describe('a token that was issued for something else (RFC 8725 3.11, RFC 9700 4.9, 4.10)', () => {
  test('an ID token of our own server is no access token', async () => {
    const begun = await app.begin('openid SEARCH');
    const code = (await browse(begun.url, { email: at('priya'), password })).searchParams.get('code') ?? '';
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      code_verifier: begun.verifier,
      redirect_uri: 'http://127.0.0.1:53682/callback',
      client_id: app.client.client_id,
    });
    const answer = await fetch(`${service.authorizationServerUrl}/token`, { method: 'POST', body });
    const { id_token: idToken, refresh_token: refreshToken } = Object(await answer.json());
    expect(idToken).toMatch(/^eyJ/);
    expect((await use(idToken)).status).toBe(401);
    expect((await use(refreshToken)).status).toBe(401);
    expect((await use(code)).status).toBe(401);
  });

  test('the hash of a secret, as it is stored, is no secret', async () => {
    const hash = createHash('sha256').update(secret).digest('base64url');
    for (const token of [hash, `svc_${hash}`, secret.toUpperCase(), secret.slice(0, -1), `${secret}A`, secret.slice(4)])
      expect((await use(token)).status).toBe(401);
  });

  test('a secret with a prefix of ours is sent to no identity provider', async () => {
    expect((await use('svc_unknown', { 'x-service-auth-type': 'OAUTH' })).status).toBe(401);
  });
});

describe('an answer to a refused token', () => {
  test('repeats nothing of it and is not stored by caches (RFC 6750 5.3, ASVS 8.1.1)', async () => {
    const token = await forged({ sub: 'somebody-else' });
    const { text, headers } = await use(token);
    expect(text + JSON.stringify(headers)).not.toMatch(/eyJ|somebody/);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('is the same for an unknown token, a revoked one and one that lost a character', async () => {
    const grace = await personNamed(service, 'grace');
    const issued = await service.context.store.serviceTokens.issue(grace, {
      description: 'x',
      permission: 'USER',
      scopes: ['SEARCH'],
      userEmail: at('mei'),
    });
    if (!issued.ok) throw new Error('There is no token.');
    await service.context.store.serviceTokens.revoke(grace, issued.token.id);
    const answers = await Promise.all(
      [issued.secret, `svc_${'A'.repeat(43)}`, secret.slice(0, -1)].map((token) => use(token)),
    );
    const seen = answers.map(({ status, json, headers }) =>
      JSON.stringify([status, json['detail'], headers['www-authenticate']]),
    );
    expect(new Set(seen).size).toBe(1);
  });
});

test('the published keys have no private part (RFC 7517 9.2)', async () => {
  const { json } = await send(`${service.authorizationServerUrl}/jwks`);
  for (const key of Object(json['keys']))
    expect(Object.keys(key).filter((name) => ['d', 'p', 'q', 'k'].includes(name))).toEqual([]);
  await expect(importJWK(publicKey, 'ES256')).resolves.toBeDefined();
});
