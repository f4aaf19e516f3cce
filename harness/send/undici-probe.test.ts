import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { serveHttp, serveSocket } from '../testing/local-server.ts';
import { probeTo, request, sent } from '../testing/probe.ts';

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

describe('a probe goes on', () => {
  test.each(['a\nb', 'a\0b', 'a\r\nX-Injected: 1', 'ключ'])(
    'after a value that no header may hold: %j',
    async (value) => {
      const probe = await probeTo(serveHttp((_, response) => response.end('x')));
      const wrong = await probe.send({ ...request, headers: [['Authorization', value]] }, 1000);
      expect(wrong).toMatchObject({ kind: 'failure', failure: 'other', detail: expect.stringMatching(/header value/) });
      expect(JSON.stringify(wrong)).not.toContain(value);
      expect(await probe.send(request, 1000)).toMatchObject({ status: 200 });
    },
  );

  test('after an exchange that would never end', async () => {
    let connections = 0;
    const hints = (socket: Socket) => {
      connections += 1;
      if (connections > 1) return socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
      const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10);
      return socket.on('close', () => clearInterval(drip));
    };
    const probe = await probeTo(serveSocket(hints), '', [], { connectMs: 100 });
    expect(await probe.send(request, 200)).toMatchObject({ kind: 'failure', failure: 'timeout' });
    expect(await probe.send(request, 1000)).toMatchObject({ status: 200 });
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

  test('what comes is not HTTP', async () => {
    const probe = await probeTo(serveSocket((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n'))));
    expect(await probe.send(request, 1000)).toMatchObject({ kind: 'failure', failure: 'protocol' });
  });

  test('no headers come in time', async () => {
    expect(await (await probeTo(serveHttp(() => undefined))).send(request, 50)).toMatchObject({ failure: 'timeout' });
  });
});
