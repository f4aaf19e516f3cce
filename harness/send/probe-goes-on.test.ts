import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../plan/request.ts';
import { serveHttp, serveSocket } from '../testing/local-server.ts';
import { probeTo, request } from '../testing/probe.ts';

const authorizedBy = (value: string): Partial<WireRequest> => ({ headers: [['Authorization', value]] });

describe('a probe goes on', () => {
  test.each<[what: string, more: Partial<WireRequest>, secret?: string]>([
    ['header value (a line break)', authorizedBy('a\nb'), 'a\nb'],
    ['header value (a NUL)', authorizedBy('a\0b'), 'a\0b'],
    ['header value (another line)', authorizedBy('a\r\nX-Injected: 1'), 'X-Injected'],
    ['header value (another script)', authorizedBy('ключ'), 'ключ'],
    ['header name', { headers: [['X Name', 'a-secret']] }, 'a-secret'],
    ['header', { headers: [['Upgrade', 'a-secret']] }, 'a-secret'],
    ['header that waits for an answer', { headers: [['Expect', '100-continue']] }],
    ['path (a blank)', { path: '/search?key=Bearer a-secret' }, 'a-secret'],
    ['path (another script)', { path: '/поиск' }, 'поиск'],
    ['method', { method: 'PO ST' }],
  ])('after a %s that it cannot send', async (_what, more, secret = 'never') => {
    const probe = await probeTo(serveHttp((_, response) => response.end('x')));
    const wrong = await probe.send({ ...request, ...more }, 1000);
    expect(wrong).toMatchObject({ kind: 'failure', failure: 'other', detail: expect.stringMatching(/^not sent/) });
    expect(JSON.stringify(wrong)).not.toContain(secret);
    const both = await Promise.all([probe.send({ ...request, ...more }, 1000), probe.send(request, 1000)]);
    expect(both).toMatchObject([wrong, { status: 200 }]);
  });

  test('with what waits behind such a request', async () => {
    const probe = await probeTo(serveHttp((_, response) => setTimeout(() => response.end('x'), 50)));
    const wrong = { ...request, path: '/a b' };
    const got = await Promise.all([request, wrong, wrong, request].map((one) => probe.send(one, 1000)));
    const failure = { kind: 'failure', failure: 'other' };
    expect(got).toMatchObject([{ status: 200 }, failure, failure, { status: 200 }]);
  });

  test('after an answer that never ends', async () => {
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
