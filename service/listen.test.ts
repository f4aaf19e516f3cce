import { once } from 'node:events';
import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ListenOptions, listen } from './listen.ts';

async function echo(limits: ListenOptions['limits'], answer: () => Promise<unknown> = async () => undefined) {
  const server = await listen({ ...(limits && { limits }) });
  onTestFinished(server.close);
  server.answerWith(async (incoming, response) => {
    await answer();
    incoming.on('error', () => {}).on('end', () => response.end('done'));
    incoming.resume();
  });
  return server;
}

/** Sends these bytes and nothing more. Returns what the server sent until it closed the connection. */
async function sendAndWait(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

describe('a request that never ends', () => {
  const limits = { headers: 100, request: 200, check: 20 };
  test.each([
    ['in its headers', 'POST / HTTP/1.1\r\nHost: a\r\nX-Slow: '],
    ['in its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{'],
    ['before its first byte', ''],
  ])('%s is cut off', async (_where, bytes) => {
    const { url } = await echo(limits);
    expect(await sendAndWait(url, bytes)).toMatch(/^HTTP\/1\.1 408 |^$/);
    expect(await (await request(url)).body.text()).toBe('done');
  });
});

describe('a server that closes', () => {
  test('accepts no new connection and answers pending requests', async () => {
    let finish = () => {};
    let reached = () => {};
    const pending = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { url, close } = await echo({}, () => {
      reached();
      return slow;
    });
    const answer = request(url);
    await pending;
    const closed = close();
    await expect(request(url)).rejects.toThrow(/ECONNREFUSED/);
    finish();
    expect(await (await answer).body.text()).toBe('done');
    await closed;
  });

  test('does not wait for a request that never ends', async () => {
    let reached = () => {};
    const pending = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const { url, close } = await echo({ grace: 50 }, () => {
      reached();
      return new Promise(() => {});
    });
    const answer = request(url);
    const cut = expect(answer).rejects.toThrow();
    await pending;
    await close();
    await cut;
  });
});
