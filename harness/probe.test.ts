import type { IncomingMessage, RequestListener } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { type LocalServer, serveHttp, serveSocket } from './local-server.test.setup.ts';
import type { Failure, RawAnswer } from './observation.ts';
import { createProbe, failureOf, type Probe } from './probe.ts';
import type { WireRequest } from './request.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0).reverse()) await close();
});

async function probeTo(server: Promise<LocalServer>, path = '', extraHeaders: [string, string][] = []): Promise<Probe> {
  const { url, close } = await server;
  const probe = createProbe({ baseUrl: url + path, connections: 1, extraHeaders });
  opened.push({ close }, probe);
  return probe;
}

const request: WireRequest = {
  method: 'POST',
  path: '/search',
  headers: [['Content-Type', 'application/json']],
  body: '{}',
};

async function ask(listener: RequestListener, more: Partial<WireRequest> = {}): Promise<RawAnswer | Failure> {
  const probe = await probeTo(serveHttp(listener));
  return probe.send({ ...request, ...more }, 5000);
}

/** What a server was sent. */
async function sent(
  more: Partial<WireRequest> = {},
  path = '',
  extra: [string, string][] = [],
): Promise<IncomingMessage & { body: string }> {
  let seen: (IncomingMessage & { body: string }) | undefined;
  const listener: RequestListener = async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    seen = Object.assign(incoming, { body });
    response.end();
  };
  const probe = await probeTo(serveHttp(listener), path, extra);
  await probe.send({ ...request, ...more }, 5000);
  if (!seen) throw new Error('nothing was sent');
  return seen;
}

const KB = 1024;

describe('a probe sends', () => {
  test('method, path behind the prefix, and body', async () => {
    const { method, url, body } = await sent({ body: '{"query":"ä"}' }, '/prefix/');
    expect({ method, url, body }).toEqual({ method: 'POST', url: '/prefix/search', body: '{"query":"ä"}' });
  });

  test('no body where there is none', async () => {
    const { method, headers, body } = await sent({ method: 'GET', headers: [], body: undefined });
    expect([method, headers['content-type'], body]).toEqual(['GET', undefined, '']);
  });

  test('doubled headers as two lines, in order, beside other names', async () => {
    const { rawHeaders } = await sent({
      headers: [
        ['X-Service-ActAs', 'a@b.example'],
        ['Authorization', 'Bearer one'],
        ['X-Service-ActAs', 'c@d.example'],
        ['Authorization', 'Bearer two'],
      ],
    });
    const lines = rawHeaders.filter((_, index) =>
      /^(X-Service-ActAs|Authorization)$/.test(rawHeaders[index & ~1] ?? ''),
    );
    expect(lines.filter((_, index) => index % 2 === 1)).toEqual([
      'a@b.example',
      'Bearer one',
      'c@d.example',
      'Bearer two',
    ]);
  });

  test.each([
    'Content-Type',
    'content-type',
    'CONTENT-TYPE',
    'AUTHORIZATION',
    'x-service-actas',
    'X-Service-Auth-Type',
  ])('the header name %s as it is written', async (name) => {
    expect((await sent({ headers: [[name, 'text/plain']] })).rawHeaders).toContain(name);
  });

  test('an empty header value', async () => {
    expect((await sent({ headers: [['X-Service-ActAs', '']] })).headers).toHaveProperty('x-service-actas', '');
  });

  test('blanks behind a value', async () => {
    const received = new Promise<string>((resolve) => {
      const server = serveSocket((socket) => socket.on('data', (data) => resolve(data.toString()) ?? socket.end()));
      probeTo(server).then((probe) => probe.send({ ...request, headers: [['Authorization', 'Bearer t  ']] }, 1000));
    });
    expect(await received).toContain('Authorization: Bearer t  \r\n');
  });

  test('the extra headers with every request', async () => {
    expect((await sent({}, '', [['X-Gateway-Key', 'k']])).headers['x-gateway-key']).toBe('k');
  });

  test('one request after the other over one connection', async () => {
    const ports = new Set<number | undefined>();
    const probe = await probeTo(
      serveHttp((incoming, response) => response.end(String(ports.add(incoming.socket.remotePort).size))),
    );
    for (let time = 0; time < 3; time += 1) await probe.send(request, 5000);
    expect(ports.size).toBe(1);
  });
});

describe('a probe reads', () => {
  test.each([200, 201, 400, 401, 403, 404, 500, 503])('status %d with its headers and text', async (status) => {
    const got = await ask((_, response) => response.writeHead(status, { 'X-Seen': 'yes' }).end('{"ä":1}'));
    expect(got).toMatchObject({ status, text: '{"ä":1}', truncated: false, headers: { 'x-seen': 'yes' } });
  });

  test('a redirect, which it does not follow', async () => {
    const paths: (string | undefined)[] = [];
    const got = await ask(({ url }, response) => {
      paths.push(url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(got).toMatchObject({ status: 307 });
    expect(paths).toEqual(['/search']);
  });

  test('no cookies back', async () => {
    const cookies: (string | undefined)[] = [];
    const probe = await probeTo(
      serveHttp(({ headers }, response) => {
        cookies.push(headers.cookie);
        response.writeHead(200, { 'set-cookie': 'session=1' }).end();
      }),
    );
    for (let time = 0; time < 2; time += 1) await probe.send(request, 5000);
    expect(cookies).toEqual([undefined, undefined]);
  });

  test.each([
    ['gzip', gzipSync('{"a":"ä"}')],
    ['GZIP', gzipSync('{"a":"ä"}')],
    ['br', brotliCompressSync('{"a":"ä"}')],
    ['deflate', deflateSync('{"a":"ä"}')],
    ['identity', Buffer.from('{"a":"ä"}')],
  ])('a body packed with %s', async (encoding, packed) => {
    const got = await ask((_, response) => response.writeHead(401, { 'content-encoding': encoding }).end(packed));
    expect(got).toMatchObject({ status: 401, text: '{"a":"ä"}', truncated: false });
  });

  test('a status and no text where a body is not packed as it says', async () => {
    const got = await ask((_, response) => response.writeHead(401, { 'content-encoding': 'gzip' }).end('plain'));
    expect(got).toMatchObject({ status: 401, text: '', truncated: true });
  });

  test('a body that unpacks to very much within bounds', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * KB * KB));
    expect(bomb.length).toBeLessThan(64 * KB);
    const got = await ask((_, response) => response.writeHead(401, { 'content-encoding': 'gzip' }).end(bomb));
    expect(got).toMatchObject({ status: 401, truncated: true });
    expect('text' in got && got.text.length).toBeLessThanOrEqual(KB * KB);
  });

  test('a body without end within bounds, and lets it go', async () => {
    const gone = new Promise((resolve) => {
      const endless: RequestListener = (_, response) => {
        response.on('close', resolve).writeHead(401);
        const write = () => !response.destroyed && response.write('x'.repeat(16 * KB), () => setImmediate(write));
        write();
      };
      ask(endless).then((got) => {
        expect(got).toMatchObject({ status: 401, truncated: true });
        expect('text' in got && got.text.length).toBeLessThanOrEqual(KB * KB);
      }, resolve);
    });
    expect(await gone).toBeUndefined();
  });

  test('the beginning of a refusal that is cut off', async () => {
    const got = await ask((_, response) => {
      response.writeHead(401);
      response.write('Invalid identity\n', () => response.destroy());
    });
    expect(got).toMatchObject({ status: 401, text: 'Invalid identity\n', truncated: true });
  });
});

describe('a probe names why there is no answer:', () => {
  test('nobody listens', async () => {
    const server = await serveHttp(() => undefined);
    await server.close();
    const probe = await probeTo(Promise.resolve({ ...server, close: async () => undefined }));
    expect(await probe.send(request, 5000)).toMatchObject({ kind: 'failure', failure: 'refused' });
  });

  test.each<[string, Parameters<typeof serveSocket>[0]]>([
    ['the connection is reset', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['the connection is closed', (socket) => socket.once('data', () => socket.end())],
    ['the headers are cut off', (socket) => socket.once('data', () => socket.end('HTTP/1.1 401 Unauth'))],
  ])('%s', async (_what, listener) => {
    const probe = await probeTo(serveSocket(listener));
    expect(await probe.send(request, 5000)).toMatchObject({ kind: 'failure', failure: 'reset' });
  });

  test('no headers come in time', async () => {
    expect(await (await probeTo(serveHttp(() => undefined))).send(request, 50)).toMatchObject({ failure: 'timeout' });
  });

  test.each([
    ['ENOTFOUND', 'refused'],
    ['ECONNRESET', 'reset'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['HPE_INVALID_CONSTANT', 'protocol'],
    ['ESOMETHING', 'other'],
  ])('the code %s is %s, and the text of the error is not shown', (code, failure) => {
    const named = failureOf(Object.assign(new Error('Bearer s3cret'), { code }));
    expect(named).toMatchObject({ kind: 'failure', failure });
    expect(named.detail).toContain(code);
    expect(named.detail).not.toContain('s3cret');
  });
});
