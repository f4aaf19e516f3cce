import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hostileAnswers } from '../testing/hostile-bodies.ts';
import { serveSocket } from '../testing/local-server.ts';
import { failureOf, readAnswer, sendRaw } from './raw-socket.ts';
import { MOST_BYTES } from './read-body.ts';

/** Sends a text to a server that answers with a function on the bare socket. */
async function exchange(
  answer: (socket: Socket, text: string) => void,
  text = 'GET / HTTP/1.1\r\n\r\n',
  timeoutMs = 5_000,
) {
  const server = await serveSocket((socket) => {
    socket.setEncoding('latin1');
    socket.once('data', (got: unknown) => answer(socket, String(got)));
  });
  try {
    return await sendRaw(server.url, text, timeoutMs);
  } finally {
    await server.close();
  }
}

describe('a raw request', () => {
  test('is sent byte by byte as it is', async () => {
    const text = 'G\0T  /\xff HTTP/9.9\nNo colon\r\n\r\n';
    let got = '';
    await exchange((socket, sent) => {
      got = sent;
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }, text);
    expect(got).toBe(text);
  });

  test.each([
    [200, { kind: 'failure', detail: 'the answer broke off' }],
    [401, { status: 401, text: 'ab', truncated: true }],
  ])('whose answer with %d breaks off gets no half of a success', async (status, expected) => {
    const answer = await exchange((socket) => socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 9\r\n\r\nab`));
    expect(answer).toMatchObject(expected);
  });

  test('gets the answer without waiting for the end of the connection', async () => {
    const answer = await exchange((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nA: b\r\na: c\r\n\r\nä!'),
    );
    expect(answer).toEqual({
      status: 200,
      headers: { 'content-length': '3', a: 'b, c' },
      text: 'ä!',
      truncated: false,
    });
  });

  test.each(['Content-Length: 42', 'Transfer-Encoding: chunked'])(
    'of HEAD gets an answer without the body that it declares (RFC 9112 6.3): %s',
    async (length) => {
      const answer = await exchange(
        (socket) => socket.write(`HTTP/1.1 200 OK\r\n${length}\r\n\r\n`),
        'HEAD / HTTP/1.1\r\n\r\n',
      );
      expect(answer).toMatchObject({ status: 200, text: '', truncated: false });
    },
  );

  test('gets the answer that comes before the connection breaks', async () => {
    const answer = await exchange((socket) => {
      socket.write('HTTP/1.1 431 Too Large\r\n\r\n');
      setTimeout(() => socket.resetAndDestroy(), 20);
    });
    expect(answer).toMatchObject({ status: 431 });
  });

  test('fails if the connection is closed, refused or silent', async () => {
    expect(await exchange((socket) => socket.end())).toMatchObject({ kind: 'failure', failure: 'reset' });
    expect(await exchange(() => undefined, '?', 30)).toMatchObject({ kind: 'failure', failure: 'timeout' });
    expect(await sendRaw('http://127.0.0.1:1', '?', 1_000)).toMatchObject({ kind: 'failure', failure: 'refused' });
  });

  test('fails if the target behind a proxy is silent', async () => {
    const proxy = await serveSocket((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n')).resume();
    });
    onTestFinished(() => {
      vi.unstubAllEnvs();
      return proxy.close();
    });
    vi.stubEnv('https_proxy', proxy.url);
    vi.stubEnv('no_proxy', '');
    vi.stubEnv('NO_PROXY', '');
    expect(await sendRaw('https://api.example', '?', 100)).toMatchObject({ kind: 'failure', failure: 'timeout' });
  });

  test('gets only the beginning of a long answer', async () => {
    const answer = await exchange((socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(3_000_000)}`));
    expect('text' in answer && answer.text.length).toBeLessThan(1_200_000);
  });
});

describe('an answer is read', () => {
  test.each([
    ['from text that is not HTTP as none', 'what?', undefined],
    ['from a head without a body', 'HTTP/1.1 401 No\r\nA: b', 401],
    ['after an interim answer', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 403 No\r\n\r\n', 403],
    ['from an interim answer alone as none', 'HTTP/1.1 100 Continue\r\n\r\n', undefined],
    ['from HTTP/1.0', 'HTTP/1.0 505 No\r\n\r\n', 505],
  ])('%s', (_what, text, status) => {
    expect(readAnswer(text, true)?.status).toBe(status);
  });

  test('from chunks, up to the last one', () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(readAnswer(`${head}3;x=y\r\nabc\r\n`, false)).toBeUndefined();
    expect(readAnswer(`${head}3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`, false)?.bytes.toString()).toBe('abcde');
    expect(readAnswer(`${head}2\r\nde\r\n0\r\nA: b\r\n`, false)).toBeUndefined();
    expect(readAnswer(`${head}2\r\nde\r\n0\r\nA: b\r\n\r\n`, false)?.bytes.toString()).toBe('de');
  });

  test.each(Object.entries(hostileAnswers(MOST_BYTES.other)))('without an error: %s', (_what, text) => {
    for (const ended of [false, true]) expect([undefined, 200]).toContain(readAnswer(text, ended)?.status);
  });
});

test.each([
  ['ENOTFOUND', 'refused'],
  ['ENETUNREACH', 'refused'],
  ['ECONNRESET', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'no-tls'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'no-tls'],
  ['EPROTO', 'no-tls'],
  ['HPE_INVALID_CONSTANT', 'protocol'],
  ['PROXY_ANSWERED_407', 'other'],
  ['PROXY_ENOTFOUND', 'other'],
  ['PROXY_CERT_HAS_EXPIRED', 'other'],
  ['ESOMETHING', 'other'],
])('an error with the code %s is a failure of kind %s that does not show the message', (code, failure) => {
  const named = failureOf(Object.assign(new Error('Bearer s3cret'), { code }));
  expect(named).toMatchObject({ kind: 'failure', failure });
  expect(named.detail).toContain(code);
  expect(named.detail).not.toContain('s3cret');
});

test("undici's parser error without a code is recognized by its name", () => {
  const error = Object.assign(new Error('Bearer s3cret'), { name: 'HTTPParserError', code: undefined });
  expect(failureOf(error)).toEqual({
    kind: 'failure',
    failure: 'protocol',
    detail: 'no usable answer (HTTPParserError)',
  });
});

test('a thrown value that is not an error is named UNKNOWN', () => {
  expect(failureOf('s3cret')).toEqual({ kind: 'failure', failure: 'other', detail: 'no usable answer (UNKNOWN)' });
});
