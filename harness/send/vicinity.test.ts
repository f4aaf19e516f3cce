import { afterEach, describe, expect, test } from 'vitest';
import { type LocalServer, serveHttp } from '../testing/local-server.ts';
import { planWith, settingsWith } from '../testing/small-world.ts';
import { networkTransport } from './transport.ts';
import { createProbe } from './undici-probe.ts';
import { lookupIn, notedLookup, type Vicinity, vicinityOf, visitsFor } from './vicinity.ts';

test.each<[string, Vicinity]>([
  ['127.0.0.1', 'this machine'],
  ['127.8.9.1', 'this machine'],
  ['0.0.0.0', 'this machine'],
  ['::', 'this machine'],
  ['::1', 'this machine'],
  ['::ffff:127.0.0.1', 'this machine'],
  ['::ffff:7f00:1', 'this machine'],
  ['64:ff9b::7f00:1', 'this machine'],
  ['169.254.169.254', 'link-local'],
  ['fe80::1', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['10.1.2.3', 'private'],
  ['172.16.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd00::1', 'private'],
  ['::ffff:10.0.0.1', 'private'],
  ['224.0.0.1', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['2002:7f00:1::', 'reserved'],
  ['2001:db8::1', 'reserved'],
  ['not an address', 'reserved'],
  ['1.1.1.1', 'public'],
  ['64:ff9b::101:101', 'public'],
  ['2606:4700:4700::1111', 'public'],
])('%s is %s', (address, vicinity) => {
  expect(vicinityOf(address)).toBe(vicinity);
});

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['1.1.1.1', '2606:4700:4700::1111'],
  'api.example': ['8.8.8.8'],
  'inside.example': ['10.0.0.7'],
  'other.inside.example': ['192.168.0.9'],
  'rebinding.example': ['1.1.1.1', '127.0.0.1'],
  'near.example': ['10.0.0.8', '127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
};
const resolve = async (host: string) => {
  const found = NAMES[host];
  if (!found) throw new Error('ENOTFOUND');
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};
const isAllowed = async (target: string, url: string, changes: Record<string, string> = {}) => {
  const visits = visitsFor(settingsWith({ TARGET_BASE_URL: target, ...changes }), resolve);
  return (await visits(new URL(url))).kind === 'allowed';
};

describe('a public target', () => {
  test.each([
    'https://127.0.0.1/',
    'https://0.0.0.0/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://127.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://inside.example/',
    'https://localhost/',
    'https://a.localhost./',
    'https://rebinding.example/',
    'https://metadata.example/',
  ])('cannot send the suite to %s', async (url) => {
    expect(await isAllowed('https://api.example', url)).toBe(false);
  });

  test.each(['https://public.example/', 'https://1.1.1.1/', 'https://api.example:8443/', 'https://unknown.example/'])(
    'can send the suite to %s',
    async (url) => {
      expect(await isAllowed('https://api.example', url)).toBe(true);
    },
  );

  test('can send the suite wherever the operator says that its authorization server is', async () => {
    const changes = { AUTHORIZATION_SERVER_ISSUER: 'https://inside.example/issuer' };
    expect(await isAllowed('https://api.example', 'https://inside.example/token', changes)).toBe(true);
    expect(await isAllowed('https://api.example', 'https://other.inside.example/', changes)).toBe(false);
  });
});

test('a target in a private network can send the suite there, and not to this machine', async () => {
  expect(await isAllowed('https://inside.example', 'https://other.inside.example/')).toBe(true);
  expect(await isAllowed('https://inside.example', 'https://127.0.0.1/')).toBe(false);
  expect(await isAllowed('https://inside.example', 'https://metadata.example/')).toBe(false);
});

test('a target on this machine can send the suite to this machine, and not into the private network', async () => {
  expect(await isAllowed('http://localhost:8080', 'http://127.0.0.1:9/')).toBe(true);
  expect(await isAllowed('http://127.0.0.1:8080', 'https://inside.example/')).toBe(false);
});

describe('the owner of a target, who decides what its name means,', () => {
  test.each([
    ['https://rebinding.example', 'http://127.0.0.1:9/'],
    ['https://near.example', 'http://127.0.0.1:9/'],
    ['https://near.example', 'https://10.0.0.1/'],
  ])('cannot lead the suite here by another address of %s', async (target, url) => {
    expect(await isAllowed(target, url)).toBe(false);
  });

  test('cannot lead the suite here once the target was elsewhere', async () => {
    const settings = settingsWith({ TARGET_BASE_URL: 'https://inside.example' });
    const url = new URL('https://10.0.0.1/');
    for (const [address, kind] of [
      ['10.0.0.9', 'allowed'],
      ['8.8.8.8', 'refused'],
    ]) {
      const reached = new Set<string>();
      const lookup = notedLookup(reached, (_host, { all }, done) =>
        all ? done(null, [{ address: address ?? '', family: 4 }]) : done(null, address ?? '', 4),
      );
      for (const all of [true, false]) await new Promise((done) => lookup('inside.example', { all }, done));
      expect((await visitsFor(settings, resolve, reached)(url)).kind).toBe(kind);
    }
  });
});

describe('a connection', () => {
  let server: LocalServer | undefined;
  afterEach(() => server?.close());

  test('goes to the address that was checked, whatever its name means by now', async () => {
    server = await serveHttp((request, response) => response.end(request.headers.host));
    const { port } = new URL(server.url);
    const lookup = lookupIn([{ address: '127.0.0.1', family: 4 }]);
    const baseUrl = `http://rebinding.invalid:${port}`;
    const there = createProbe({ baseUrl, connections: 1, extraHeaders: [], lookup });
    const answer = await there.send({ method: 'GET', path: '/', headers: [], body: undefined }, 5_000);
    await there.close();
    expect(answer).toMatchObject({ status: 200, text: `rebinding.invalid:${port}` });
  });

  test('notes the addresses that it was given', async () => {
    server = await serveHttp((_, response) => response.end());
    const reached = new Set<string>();
    const baseUrl = server.url.replace('127.0.0.1', 'localhost');
    const there = createProbe({ baseUrl, connections: 1, extraHeaders: [], lookup: notedLookup(reached) });
    expect(await there.send({ method: 'GET', path: '/', headers: [], body: undefined }, 5_000)).toMatchObject({
      status: 200,
    });
    await there.close();
    expect([...reached]).toContain('127.0.0.1');
  });

  test('is not made for a target that is elsewhere', async () => {
    let requests = 0;
    server = await serveHttp((_, response) => {
      requests += 1;
      response.end();
    });
    const settings = settingsWith({ TARGET_BASE_URL: 'https://1.1.1.1' });
    const transport = networkTransport({ settings, plan: planWith(), parts: Object(undefined) });
    const { port } = new URL(server.url);
    for (const host of ['0.0.0.0', '[::ffff:127.0.0.1]', '127.0.0.1', 'localhost']) {
      const request = { method: 'GET', path: '/', headers: [], body: undefined };
      const answer = await transport.visit(`http://${host}:${port}`, request, 1_000);
      expect(answer).toMatchObject({ kind: 'failure', detail: expect.stringContaining('this machine') });
    }
    await transport.probe.close();
    expect(requests).toBe(0);
  });
});
