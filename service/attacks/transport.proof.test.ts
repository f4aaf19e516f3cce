import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { raw, register, send, statuses } from '../testing/attacker.ts';
import { demoService, signedIn } from '../testing/client.ts';

let service: RunningService;
let servers: Record<'API' | 'authorization server', string>;
beforeAll(async () => {
  service = await demoService();
  servers = { API: service.apiUrl, 'authorization server': service.authorizationServerUrl };
});
afterAll(() => service?.close());

const names = ['API', 'authorization server'] as const;
const target = { API: '/rest/api/v1/search', 'authorization server': '/token' };
/** A second request that only a smuggler wants answered. */
const hidden = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';

describe.each(names)('request smuggling at the %s (RFC 9112 6.3, 11.2)', (name) => {
  test('two requests in a row are answered, so that the refusals below mean something', async () => {
    const twice = `POST ${target[name]} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`.repeat(2);
    expect(statuses(await raw(servers[name], twice, 100))).toHaveLength(2);
  });

  test.concurrent.each<[string, string[], string]>([
    ['both lengths', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`],
    ['two content lengths', ['Content-Length: 0', `Content-Length: ${hidden.length}`], hidden],
    ['a list of content lengths', [`Content-Length: 0, ${hidden.length}`], hidden],
    ['a signed content length', ['Content-Length: +0'], hidden],
    ['a hexadecimal content length', ['Content-Length: 0x0'], hidden],
    ['a negative content length', ['Content-Length: -1'], hidden],
    ['a space before the colon', ['Content-Length : 0'], hidden],
    ['a folded length', ['Content-Length:\r\n 0'], hidden],
    ['two transfer codings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], `0\r\n\r\n${hidden}`],
    ['an unknown coding', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${hidden}`],
    ['a coding after chunked', ['Transfer-Encoding: chunked, gzip'], `0\r\n\r\n${hidden}`],
    ['a vertical tab in the coding', ['Transfer-Encoding: \x0bchunked'], `0\r\n\r\n${hidden}`],
    ['a null in the coding', ['Transfer-Encoding: chunked\x00'], `0\r\n\r\n${hidden}`],
    ['a chunk of negative size', ['Transfer-Encoding: chunked'], `-1\r\n\r\n${hidden}`],
    ['a chunk of too large a size', ['Transfer-Encoding: chunked'], `ffffffffffffffffff\r\n\r\n${hidden}`],
    ['a chunk without its line end', ['Transfer-Encoding: chunked'], `1\r\nxx0\r\n\r\n${hidden}`],
    ['a bare line feed after the size', ['Transfer-Encoding: chunked'], `1;\nx\r\n0\r\n\r\n${hidden}`],
    ['a bare carriage return between headers', ['X: a\rTransfer-Encoding: chunked'], `0\r\n\r\n${hidden}`],
    ['a header name with a space', ['Transfer Encoding: chunked'], `0\r\n\r\n${hidden}`],
  ])('with %s is refused, and no second request is answered', async (_how, headers, body) => {
    const head = [`POST ${target[name]} HTTP/1.1`, 'Host: x', ...headers].join('\r\n');
    const received = await raw(servers[name], Buffer.from(`${head}\r\n\r\n${body}`, 'latin1'), 100);
    expect(received).not.toContain('"live"');
    expect(statuses(received).filter((status) => status < 400)).toEqual([]);
    // What follows the answer can only be the refusal of the rest.
    for (const status of statuses(received).slice(1)) expect(status).toBe(400);
  });

  test.concurrent.each([
    ['without Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['with two Hosts', 'GET /none HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['of HTTP/0.9', 'GET /none\r\n\r\n'],
    ['of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['of TLS', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03'],
    ['with a null in the path', 'GET /\x00admin HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['with a space in the path', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['that connects elsewhere', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['to trace', 'TRACE / HTTP/1.1\r\nHost: x\r\nCookie: a=b\r\n\r\n'],
    ['to another server', 'GET http://127.0.0.1:22/none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ])('a request %s gets no content', async (_what, bytes) => {
    const received = await raw(servers[name], Buffer.from(bytes, 'latin1'), 100);
    expect(statuses(received).filter((status) => status < 400)).toEqual([]);
    expect(received).not.toContain('a=b');
  });

  test('an upgrade to another protocol is not followed', async () => {
    for (const protocol of ['h2c', 'websocket', 'TLS/1.0']) {
      const received = await raw(
        servers[name],
        `GET /x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`,
        100,
      );
      expect(statuses(received)).toEqual([404]);
    }
  });
});

describe('the headers of every answer (ASVS 14.4, RFC 9700 4.16)', () => {
  const pages = () => [
    `${service.authorizationServerUrl}/auth`,
    `${service.authorizationServerUrl}/auth?client_id=x`,
    `${service.authorizationServerUrl}/interaction/x`,
    `${service.authorizationServerUrl}/nothing`,
    `${service.authorizationServerUrl}/jwks`,
    `${service.authorizationServerUrl}/.well-known/openid-configuration`,
    `${service.apiUrl}/admin`,
    `${service.apiUrl}/admin/signed-out`,
    `${service.apiUrl}/admin/signed-in`,
    `${service.apiUrl}/admin/sign-in`,
  ];

  test('forbid frames, sniffing and referrers', async () => {
    for (const url of pages()) {
      const { headers } = await send(url);
      expect({ url, csp: headers['content-security-policy'] }).toMatchObject({
        csp: expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      });
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
      expect(String(headers['referrer-policy'])).toMatch(/no-referrer|same-origin/);
    }
  });

  test('name no product and no version (ASVS 14.3.3)', async () => {
    for (const url of pages()) {
      const { headers } = await send(url);
      for (const name of ['server', 'x-powered-by', 'via']) expect(headers).not.toHaveProperty(name);
    }
  });

  test('keep answers with secrets or people out of caches (ASVS 8.1.1, RFC 6749 5.1)', async () => {
    const grace = await signedIn(service, 'grace');
    for (const path of [
      '/admin',
      '/admin/audit',
      '/admin/people',
      '/admin/applications',
      '/admin/tokens/new',
      '/admin/nothing',
    ])
      expect((await grace.once(path)).headers.get('cache-control')).toBe('no-store');
    expect(
      (await register(service, { token_endpoint_auth_method: 'client_secret_basic' })).headers['cache-control'],
    ).toBe('no-store');
    const token = await send(`${service.authorizationServerUrl}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=x',
    });
    expect(token.headers['cache-control']).toBe('no-store');
  });
});

test.concurrent.each([
  '/admin/console.css',
  '/admin/../package.json',
  '/admin/assets/..%2f..%2fpackage.json',
  '/.env',
  '/client-api.db',
  '/admin/%2e%2e/client-api.db',
  '/.git/config',
  '/specs/client-api/openapi.yaml',
])('no file of the machine is served: %s (ASVS 12.3.1, 12.5.1)', async (path) => {
  for (const name of names) {
    const received = await raw(servers[name], `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 200);
    for (const status of statuses(received)) expect([303, 400, 404]).toContain(status);
  }
});
