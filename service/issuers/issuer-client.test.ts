import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../listen.ts';
import { bearer, searchPath, start, testApp } from '../testing/app.ts';
import { createIssuerClient, keptFor, keyCooldown, maxConcurrentCalls } from './issuer-client.ts';
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

/** A provider that can be told what to answer, and a service that trusts it, both by one clock. */
async function trusting(tokens: 'jwt' | 'opaque', person: 'claims' | 'userinfo' = 'claims') {
  const said = {
    down: false,
    padding: '',
    keys: [await published(first, '1')],
    revoked: new Set<string>(),
    exp: start / 1000 + 3600,
    endpoints: {},
    held: Promise.resolve(),
  };
  const asked: string[] = [];
  const body = async (request: IncomingMessage): Promise<object | undefined> => {
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return { issuer: url, jwks_uri: `${url}/keys`, userinfo_endpoint: `${url}/userinfo`, ...said.endpoints };
      case '/keys':
        return { keys: said.keys, padding: said.padding };
      case '/userinfo': {
        const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
        return said.revoked.has(token) ? undefined : { sub: 'ann', email: 'ann@example.com' };
      }
      default: {
        const token = new URLSearchParams(await text(request)).get('access_token') ?? '';
        if (said.revoked.has(token)) return undefined;
        return { azp: 'app', email: `${token.slice(0, 3)}@example.com`, scope: 'find', exp: String(said.exp) };
      }
    }
  };
  const server = await listen();
  const { url } = server;
  server.answerWith(async (request, response) => {
    asked.push(request.url ?? '');
    await said.held;
    if (said.down) return void response.destroy();
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
  return { said, clock, status, sign, count };
}

describe('what tokeninfo says of a token', () => {
  test('is asked once and kept, for each token by itself', async () => {
    const { status, count } = await trusting('opaque');
    expect([await status('ann-1'), await status('ann-1'), await status('ann-1')]).toEqual([200, 200, 200]);
    expect(count('/tokeninfo')).toBe(1);
    expect(await status('eve-1')).toBe(401);
    expect(await status('ann-2')).toBe(200);
    expect(count('/tokeninfo')).toBe(3);
  });

  test('is outdated when its time is over: a token that was revoked there is refused', async () => {
    const { said, clock, status } = await trusting('opaque');
    expect(await status('ann')).toBe(200);
    said.revoked.add('ann');
    clock.now = start + keptFor.answer - 1;
    expect(await status('ann')).toBe(200);
    clock.now = start + keptFor.answer;
    expect(await status('ann')).toBe(401);
  });

  test('does not carry a token beyond its own end', async () => {
    const { said, clock, status, count } = await trusting('opaque');
    said.exp = start / 1000 + 10;
    clock.now = start + 9_999;
    expect([await status('ann'), await status('ann'), count('/tokeninfo')]).toEqual([200, 200, 1]);
    clock.now = start + 10_000;
    expect([await status('ann'), count('/tokeninfo')]).toEqual([401, 2]);
  });

  test('is no pass once the provider is gone: 503', async () => {
    const { said, clock, status } = await trusting('opaque');
    expect(await status('ann')).toBe(200);
    said.down = true;
    expect([await status('ann'), await status('ann-2')]).toEqual([200, 503]);
    clock.now = start + keptFor.answer;
    expect(await status('ann')).toBe(503);
  });

  test('is kept for a few seconds when it is a refusal', async () => {
    const { said, clock, status, count } = await trusting('opaque');
    said.revoked.add('ann');
    expect([await status('ann'), await status('ann'), count('/tokeninfo')]).toEqual([401, 401, 1]);
    said.revoked.clear();
    clock.now = start + keptFor.refusal - 1;
    expect(await status('ann')).toBe(401);
    clock.now = start + keptFor.refusal;
    expect(await status('ann')).toBe(200);
  });

  test('is not asked beyond the calls that are under way: 503, while what is kept still counts', async () => {
    const { said, status, count } = await trusting('opaque');
    expect(await status('ann')).toBe(200);
    let release: () => void = () => undefined;
    said.held = new Promise((resolve) => (release = resolve));
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

describe('what userinfo says of a person', () => {
  test('is kept for a while, and never beyond the end of the token', async () => {
    const { said, clock, status, sign, count } = await trusting('jwt', 'userinfo');
    const [short, long] = [await sign('1', first, 10), await sign('1', first)];
    for (const token of [short, short, long, long]) expect(await status(token)).toBe(200);
    expect(count('/userinfo')).toBe(2);
    clock.now = start + 10_000;
    expect(await status(short)).toBe(401);
    said.revoked.add(long);
    expect(await status(long)).toBe(200);
    clock.now = start + keptFor.answer;
    expect(await status(long)).toBe(401);
  });
});

test.each([
  ['jwks_uri', 'http://login.example/keys'],
  ['userinfo_endpoint', 'http://login.example/userinfo'],
  ['userinfo_endpoint', 'file:///userinfo'],
])('a discovery document whose %s is %s is not relied upon: 503', async (name, address) => {
  // Nobody would answer there either, so it is what is asked for that counts.
  const asked = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => asked.mockRestore());
  const { said, status, sign } = await trusting('jwt', 'userinfo');
  said.endpoints = { [name]: address };
  expect(await status(await sign('1', first))).toBe(503);
  expect(asked.mock.calls.map(([url]) => String(url))).not.toContain(address);
});

describe("a provider's keys", () => {
  test('are fetched once, and again when they are old: a key withdrawn there is withdrawn here', async () => {
    const { said, clock, status, sign, count } = await trusting('jwt');
    const token = await sign('1', first);
    expect([await status(token), await status(token), count('/keys')]).toEqual([200, 200, 1]);
    said.keys = [await published(second, '2')];
    clock.now = start + keptFor.keys - 1;
    expect(await status(token)).toBe(200);
    clock.now = start + keptFor.keys;
    expect(await status(token)).toBe(401);
  });

  test('are fetched early for an unknown one, but not for every token that names one', async () => {
    const { said, clock, status, sign, count } = await trusting('jwt');
    const [before, after] = [await sign('1', first), await sign('2', second)];
    expect([await status(before), await status(after), await status(after)]).toEqual([200, 401, 401]);
    said.keys = [await published(second, '2')];
    clock.now = start + keyCooldown - 1;
    expect([await status(after), count('/keys')]).toEqual([401, 1]);
    clock.now = start + keyCooldown;
    expect([await status(after), await status(before), count('/keys')]).toEqual([200, 401, 2]);
  });

  test('serve while the provider is gone, until they are too old: then 503, not a pass', async () => {
    const { said, clock, status, sign } = await trusting('jwt');
    const token = await sign('1', first);
    expect(await status(token)).toBe(200);
    said.down = true;
    clock.now = start + keptFor.keys - 1;
    expect([await status(token), await status(await sign('2', second))]).toEqual([200, 503]);
    clock.now = start + keptFor.keys;
    expect(await status(token)).toBe(503);
    said.down = false;
    expect(await status(token)).toBe(200);
  });

  const unusable = { kid: '1', alg: 'ES256', kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' };
  test.each([
    ['endless', { padding: 'x'.repeat(1_000_000) }, 503],
    ['no list', { keys: {} }, 503],
    ['unusable', { keys: [unusable] }, 503],
    ['none', { keys: [] }, 401],
  ])('that are %s verify nothing', async (_what, wrong, expected) => {
    const { said, status, sign } = await trusting('jwt');
    Object.assign(said, wrong);
    expect(await status(await sign('1', first))).toBe(expected);
  });
});
