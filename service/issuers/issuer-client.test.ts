import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../listen.ts';
import { bearer, searchPath, start, testApp } from '../testing/app.ts';
import { createIssuerClient, keyCooldown, maxAge, maxConcurrentCalls } from './issuer-client.ts';
import type { Issuer } from './issuers.ts';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
let first: Keys;
let second: Keys;
beforeAll(async () => {
  first = await generateKeyPair('ES256', { extractable: true });
  second = await generateKeyPair('ES256', { extractable: true });
});

const published = async ({ publicKey }: Keys, kid: string): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  kid,
  alg: 'ES256',
});

/** A provider whose answers a test can change, and a service that trusts it. Both use the same clock. */
async function trusting(tokens: 'jwt' | 'opaque', person: 'claims' | 'userinfo' = 'claims') {
  const provider = {
    down: false,
    padding: '',
    keys: [await published(first, '1')],
    revoked: new Set<string>(),
    exp: start / 1000 + 3600,
    endpoints: {},
    /** Answers wait for this. */
    held: Promise.resolve(),
  };
  const asked: string[] = [];
  const body = async (request: IncomingMessage): Promise<object | undefined> => {
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return { issuer: url, jwks_uri: `${url}/keys`, userinfo_endpoint: `${url}/userinfo`, ...provider.endpoints };
      case '/keys':
        return { keys: provider.keys, padding: provider.padding };
      case '/userinfo': {
        const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
        return provider.revoked.has(token) ? undefined : { sub: 'ann', email: 'ann@example.com' };
      }
      default: {
        const token = new URLSearchParams(await text(request)).get('access_token') ?? '';
        if (provider.revoked.has(token)) return undefined;
        return { azp: 'app', email: `${token.slice(0, 3)}@example.com`, scope: 'find', exp: String(provider.exp) };
      }
    }
  };
  const server = await listen();
  const { url } = server;
  server.answerWith(async (request, response) => {
    asked.push(request.url ?? '');
    await provider.held;
    if (provider.down) return void response.destroy();
    const answer = await body(request);
    response.writeHead(answer ? 200 : 401).end(JSON.stringify(answer ?? {}));
  });
  onTestFinished(server.close);

  const row: Issuer = {
    name: 'test',
    family: 'external',
    issuer: url,
    tokens: tokens === 'jwt' ? { form: 'jwt' } : { form: 'opaque', tokeninfo: `${url}/tokeninfo` },
    clients: { claim: 'azp', allowed: ['app'] },
    person: { by: 'email', claim: 'email', in: person },
    scopes: { claim: 'scope', names: { SEARCH: 'find' } },
  };
  const clock = { now: start };
  const app = await testApp({ now: () => clock.now, issuers: [createIssuerClient(row, { now: () => clock.now })] });
  const status = async (token: string) =>
    (await app.send(searchPath, [...bearer(token), 'X-Service-Auth-Type', 'OAUTH'])).status;
  const sign = (kid: string, { privateKey }: Keys, seconds = 7200) =>
    new SignJWT({ azp: 'app', sub: 'ann', email: 'ann@example.com', scope: 'find', exp: start / 1000 + seconds })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(url)
      .sign(privateKey);
  const count = (path: string) => asked.filter((other) => other === path).length;
  return { provider, clock, status, sign, count };
}

describe('an answer of tokeninfo', () => {
  test('is fetched once and cached for each token', async () => {
    const { status, count } = await trusting('opaque');
    expect([await status('ann-1'), await status('ann-1'), await status('ann-1')]).toEqual([200, 200, 200]);
    expect(count('/tokeninfo')).toBe(1);
    expect(await status('eve-1')).toBe(401);
    expect(await status('ann-2')).toBe(200);
    expect(count('/tokeninfo')).toBe(3);
  });

  test('expires in the cache, so a token revoked at its issuer is then refused', async () => {
    const { provider, clock, status } = await trusting('opaque');
    expect(await status('ann')).toBe(200);
    provider.revoked.add('ann');
    clock.now = start + maxAge.answer - 1;
    expect(await status('ann')).toBe(200);
    clock.now = start + maxAge.answer;
    expect(await status('ann')).toBe(401);
  });

  test('is not cached beyond the expiry of the token', async () => {
    const { provider, clock, status, count } = await trusting('opaque');
    provider.exp = start / 1000 + 10;
    clock.now = start + 9_999;
    expect([await status('ann'), await status('ann'), count('/tokeninfo')]).toEqual([200, 200, 1]);
    clock.now = start + 10_000;
    expect([await status('ann'), count('/tokeninfo')]).toEqual([401, 2]);
  });

  test('is missing while the provider is down: 503', async () => {
    const { provider, clock, status } = await trusting('opaque');
    expect(await status('ann')).toBe(200);
    provider.down = true;
    expect([await status('ann'), await status('ann-2')]).toEqual([200, 503]);
    clock.now = start + maxAge.answer;
    expect(await status('ann')).toBe(503);
  });

  test('is cached for a few seconds when it is a refusal', async () => {
    const { provider, clock, status, count } = await trusting('opaque');
    provider.revoked.add('ann');
    expect([await status('ann'), await status('ann'), count('/tokeninfo')]).toEqual([401, 401, 1]);
    provider.revoked.clear();
    clock.now = start + maxAge.refusal - 1;
    expect(await status('ann')).toBe(401);
    clock.now = start + maxAge.refusal;
    expect(await status('ann')).toBe(200);
  });

  test('is not fetched while too many calls are pending: 503, except for cached answers', async () => {
    const { provider, status, count } = await trusting('opaque');
    expect(await status('ann')).toBe(200);
    let release: () => void = () => undefined;
    provider.held = new Promise((resolve) => (release = resolve));
    const flood = Array.from({ length: maxConcurrentCalls }, (_, index) => status(`eve-${index}`));
    await vi.waitUntil(() => count('/tokeninfo') === 1 + maxConcurrentCalls, { timeout: 30_000 });
    expect([await status('one-more'), await status('ann'), count('/tokeninfo')]).toEqual([
      503,
      200,
      1 + maxConcurrentCalls,
    ]);
    release();
    expect(new Set(await Promise.all(flood))).toEqual(new Set([401]));
    expect(await status('ann-2')).toBe(200);
  });
});

test('unknown tokens of strangers take no place of one that was accepted before', async () => {
  const { provider, clock, status, count } = await trusting('opaque');
  expect(await status('ann')).toBe(200);
  clock.now = start + maxAge.answer;
  let release: () => void = () => undefined;
  provider.held = new Promise((resolve) => (release = resolve));
  const flood = Array.from({ length: maxConcurrentCalls }, (_, index) => status(`eve-${index}`));
  await vi.waitUntil(() => count('/tokeninfo') === 1 + maxConcurrentCalls, { timeout: 30_000 });
  const again = status('ann');
  await Promise.race([again, vi.waitUntil(() => count('/tokeninfo') === 2 + maxConcurrentCalls)]);
  release();
  expect(await again).toBe(200);
  await Promise.all(flood);
});

describe('an answer of userinfo', () => {
  test('is cached, but not beyond the expiry of the token', async () => {
    const { provider, clock, status, sign, count } = await trusting('jwt', 'userinfo');
    const [short, long] = [await sign('1', first, 10), await sign('1', first)];
    for (const token of [short, short, long, long]) expect(await status(token)).toBe(200);
    expect(count('/userinfo')).toBe(2);
    clock.now = start + 10_000;
    expect(await status(short)).toBe(401);
    provider.revoked.add(long);
    expect(await status(long)).toBe(200);
    clock.now = start + maxAge.answer;
    expect(await status(long)).toBe(401);
  });
});

test.each([
  ['jwks_uri', 'http://login.example/keys'],
  ['userinfo_endpoint', 'http://login.example/userinfo'],
  ['userinfo_endpoint', 'file:///userinfo'],
])('a discovery document whose %s is %s is not used: 503', async (name, address) => {
  // The status would be 503 either way, so the test also checks that the address gets no request.
  const requests = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => requests.mockRestore());
  const { provider, status, sign } = await trusting('jwt', 'userinfo');
  provider.endpoints = { [name]: address };
  expect(await status(await sign('1', first))).toBe(503);
  expect(requests.mock.calls.map(([url]) => String(url))).not.toContain(address);
});

describe("a provider's keys", () => {
  test('are fetched once, and again when they are old, so a withdrawn key is then refused', async () => {
    const { provider, clock, status, sign, count } = await trusting('jwt');
    const token = await sign('1', first);
    expect([await status(token), await status(token), count('/keys')]).toEqual([200, 200, 1]);
    provider.keys = [await published(second, '2')];
    clock.now = start + maxAge.keys - 1;
    expect(await status(token)).toBe(200);
    clock.now = start + maxAge.keys;
    expect(await status(token)).toBe(401);
  });

  test('are fetched early for an unknown key id, but not for every token with one', async () => {
    const { provider, clock, status, sign, count } = await trusting('jwt');
    const [before, after] = [await sign('1', first), await sign('2', second)];
    expect([await status(before), await status(after), await status(after)]).toEqual([200, 401, 401]);
    provider.keys = [await published(second, '2')];
    clock.now = start + keyCooldown - 1;
    expect([await status(after), count('/keys')]).toEqual([401, 1]);
    clock.now = start + keyCooldown;
    expect([await status(after), await status(before), count('/keys')]).toEqual([200, 401, 2]);
  });

  test('are used while the provider is down, until they are too old: then 503', async () => {
    const { provider, clock, status, sign } = await trusting('jwt');
    const token = await sign('1', first);
    expect(await status(token)).toBe(200);
    provider.down = true;
    clock.now = start + maxAge.keys - 1;
    expect([await status(token), await status(await sign('2', second))]).toEqual([200, 503]);
    clock.now = start + maxAge.keys;
    expect(await status(token)).toBe(503);
    provider.down = false;
    expect(await status(token)).toBe(200);
  });

  const unusable = { kid: '1', alg: 'ES256', kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' };
  test.each([
    ['in a document that is too large', { padding: 'x'.repeat(1_000_000) }, 503],
    ['not a list', { keys: {} }, 503],
    ['unusable', { keys: [unusable] }, 503],
    ['an empty list', { keys: [] }, 401],
  ])('verify no token when they are %s', async (_what, wrong, expected) => {
    const { provider, status, sign } = await trusting('jwt');
    Object.assign(provider, wrong);
    expect(await status(await sign('1', first))).toBe(expected);
  });
});
