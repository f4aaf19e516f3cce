import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { serveHttp, serveSocket } from '../testing/local-server.ts';
import { ask, KB, probeTo, request, sent } from '../testing/probe.ts';

describe('a probe sends', () => {
  test('method, path with the prefix, and body', async () => {
    const { method, url, body } = await sent({ body: '{"query":"ä"}' }, '/prefix/');
    expect({ method, url, body }).toEqual({ method: 'POST', url: '/prefix/search', body: '{"query":"ä"}' });
  });

  test('no body if there is none', async () => {
    const { method, headers, body } = await sent({ method: 'GET', headers: [], body: undefined });
    expect([method, headers['content-type'], body]).toEqual(['GET', undefined, '']);
  });

  test('a header with two values as two lines, in order', async () => {
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

  test('trailing blanks of a value', async () => {
    const received = new Promise<string>((resolve) => {
      const server = serveSocket((socket) => socket.on('data', (data) => resolve(data.toString()) ?? socket.end()));
      probeTo(server).then((probe) => probe.send({ ...request, headers: [['Authorization', 'Bearer t  ']] }, 1000));
    });
    expect(await received).toContain('Authorization: Bearer t  \r\n');
  });

  test('the extra headers with every request', async () => {
    expect((await sent({}, '', [['X-Gateway-Key', 'k']])).headers['x-gateway-key']).toBe('k');
  });

  test('several requests over one connection', async () => {
    const ports = new Set<number | undefined>();
    const probe = await probeTo(
      serveHttp((incoming, response) => response.end(String(ports.add(incoming.socket.remotePort).size))),
    );
    for (let time = 0; time < 3; time += 1) await probe.send(request, 5000);
    expect(ports.size).toBe(1);
  });
});

describe('a probe says why there is no answer:', () => {
  test('the connection is refused', async () => {
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

  test('the answer is not HTTP', async () => {
    const probe = await probeTo(serveSocket((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n'))));
    expect(await probe.send(request, 1000)).toMatchObject({ kind: 'failure', failure: 'protocol' });
  });

  test('no headers come in time', async () => {
    expect(await (await probeTo(serveHttp(() => undefined))).send(request, 50)).toMatchObject({ failure: 'timeout' });
  });
});

test('half a stream is an answer to a case of the matrix, and none to a check, which searches all of it', async () => {
  const breakingOff = () =>
    serveHttp((_, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('half');
      setTimeout(() => response.destroy(), 20);
    });
  const ofMatrix = await probeTo(breakingOff());
  expect(await ofMatrix.send(request, 5_000, true)).toMatchObject({ status: 200, text: 'half' });
  const ofCheck = await probeTo(breakingOff(), '', [], { readsAll: true });
  expect(await ofCheck.send(request, 5_000, true)).toMatchObject({ kind: 'failure' });
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

  test('cookies, but does not send them back', async () => {
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

  test('an endless body up to the bound, and closes the connection', async () => {
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

  test('a compressed body', async () => {
    const compressed = gzipSync('{"a":"ä"}');
    const got = await ask((_, response) => response.writeHead(401, { 'content-encoding': 'gzip' }).end(compressed));
    expect(got).toMatchObject({ status: 401, text: '{"a":"ä"}', truncated: false });
  });

  test('a documented success body of several megabytes to its end', async () => {
    const text = JSON.stringify({ results: 'x'.repeat(3 * KB * KB) });
    expect(await ask((_, response) => response.end(text))).toMatchObject({ text, truncated: false });
  });

  test('a body that may stream up to the bound', async () => {
    const got = await ask((_, response) => response.end('x'.repeat(2 * KB * KB)), true);
    expect(got).toMatchObject({ status: 200, truncated: true });
    expect('text' in got && got.text).toHaveLength(KB * KB);
  });

  test.each([
    ['with a length', { 'content-length': 1000 }],
    ['without a length', {}],
  ])('the beginning of a refusal %s if the connection breaks', async (_what, headers) => {
    const got = await ask((_, response) => {
      response.writeHead(401, headers);
      response.write('Invalid identity\n', () => setTimeout(() => response.destroy(), 20));
    });
    expect(got).toMatchObject({ status: 401, text: 'Invalid identity\n', truncated: true });
  });

  test('the beginning of a refusal if the connection is reset at once', async () => {
    const got = await ask((_, response) => {
      response.writeHead(401);
      response.write('Invalid identity\n', () => response.destroy());
    });
    expect(got).toMatchObject({ status: 401, text: 'Invalid identity\n', truncated: true });
  });
});

describe('half a success body', () => {
  const half: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"results":[', () => setTimeout(() => response.destroy(), 20));
  };

  test('that is documented counts as a reset', async () => {
    expect(await ask(half)).toMatchObject({ kind: 'failure', failure: 'reset' });
  });

  test('that may stream is an answer, because it is judged at its headers', async () => {
    expect(await ask(half, true)).toMatchObject({ status: 200, text: '{"results":[', truncated: true });
  });

  test('that is documented and too slow counts as a timeout', async () => {
    const slow: RequestListener = (_, response) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    };
    expect(await ask(slow, false, 200)).toMatchObject({ kind: 'failure', failure: 'timeout' });
  });
});

test('after three streams that stayed open, one that pauses longer than they did is not waited for', async () => {
  let pause = 100;
  const inParts: RequestListener = (_, response) => {
    response.write('one');
    const timer = setTimeout(() => response.write(' two'), pause);
    response.on('close', () => clearTimeout(timer));
  };
  const probe = await probeTo(serveHttp(inParts), '', [], { connections: 3 });
  const read = async () => Object(await probe.send(request, 5_000, true)).text;
  expect(await Promise.all([read(), read(), read()])).toEqual(['one two', 'one two', 'one two']);
  expect(await read()).toBe('one two');
  pause = 4_000;
  expect(await read()).toBe('one');
});
