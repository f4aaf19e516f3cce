import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { serveSocket } from '../testing/local-server.ts';
import { ask, probeTo, request } from '../testing/probe.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nX-Hint: early\r\n\r\n';
const FINAL = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 21\r\n\r\nHTTP/1.1 100 Continue';

test.each<[string, readonly string[], string?]>([
  ['alone', [CONTINUE, FINAL]],
  ['twice', ['HTTP/1.1 100 Continue\r\nX: y\r\n\r\n', `HTTP/1.1 100 \r\n\r\n${FINAL}`]],
  ['in pieces', ['HTTP/1.', '1 10', '0 Continue\r\n\r', `\n${FINAL}`]],
  ['after early hints', [HINTS + CONTINUE, FINAL], 'early'],
  ['before early hints in pieces', [`${CONTINUE}HTTP/1.1 1`, HINTS.slice(10), FINAL], 'early'],
  ['in one piece with all', [CONTINUE + HINTS + CONTINUE + FINAL], 'early'],
])('a probe reads the answer after a 100 that it did not ask for, %s', async (_what, parts, hint) => {
  const probe = await probeTo(
    serveSocket((socket) => {
      socket.setNoDelay().on('data', async () => {
        for (const part of parts) {
          socket.write(part);
          await wait(20);
        }
      });
    }),
  );
  for (let time = 0; time < 2; time += 1) {
    const got = await probe.send(request, 500);
    const headers = hint === undefined ? {} : { 'x-hint (early)': [hint] };
    expect(got).toMatchObject({ status: 401, text: 'HTTP/1.1 100 Continue', headers });
  }
});

test('a probe reads a reason phrase that is not that of the status', async () => {
  const got = await ask((_, response) => response.writeHead(200, 'Found more').end('text'));
  expect(got).toMatchObject({ headers: { ':reason': ['Found more'] } });
});

test('a probe reads early hints and trailers, which change no header of the answer', async () => {
  const got = await ask((_, response) => {
    for (const name of ['one', 'two']) response.writeEarlyHints({ link: `</${name}>; rel=preload` });
    response.writeHead(200, {
      Link: '</final>',
      'Content-Type': 'text/plain',
      Trailer: 'X-Late',
      'Transfer-Encoding': 'chunked',
    });
    response.write('text');
    response.addTrailers({ 'X-Late': 'late', 'Content-Type': 'text/html' });
    response.end();
  });
  const headers = {
    ...{ link: '</final>', 'link (early)': ['</one>; rel=preload', '</two>; rel=preload'] },
    ...{ 'content-type': 'text/plain', 'x-late (trailer)': ['late'], 'content-type (trailer)': ['text/html'] },
  };
  expect(got).toMatchObject({ headers, text: 'text' });
});
