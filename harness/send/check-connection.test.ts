import { gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { type LocalServer, serveHttp } from '../testing/local-server.ts';
import { connectForCheck } from './check-connection.ts';
import { notedLookup } from './vicinity.ts';

const MEGABYTE = 1024 * 1024;
const GET = { method: 'GET', path: '/', headers: [], body: undefined };

let server: LocalServer | undefined;
afterEach(() => server?.close());

test('a body that is compressed a thousandfold is read up to the bound, once', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * MEGABYTE, '0'));
  server = await serveHttp((_, response) => response.writeHead(401, { 'Content-Encoding': 'gzip' }).end(bomb));
  const concat = vi.spyOn(Buffer, 'concat');
  const connection = connectForCheck(server.url, [], 5_000);
  const answer = await connection.exchange(GET, 5_000);
  await new Promise((done) => setTimeout(done, 100));
  connection.close();
  const large = concat.mock.calls.filter(([chunks]) => chunks.length > 100);
  concat.mockRestore();
  expect(answer).toMatchObject({ status: 401, truncated: true });
  expect('text' in answer && answer.text.length).toBeLessThan(9 * MEGABYTE);
  expect(large.length).toBe(1);
});

test('a connection notes the addresses that it was given', async () => {
  server = await serveHttp((_, response) => response.end());
  const reached = new Set<string>();
  const connection = connectForCheck(server.url.replace('127.0.0.1', 'localhost'), [], 5_000, notedLookup(reached));
  expect(await connection.exchange(GET, 5_000)).toMatchObject({ status: 200 });
  connection.close();
  expect([...reached]).toContain('127.0.0.1');
});
