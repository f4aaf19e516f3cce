import { type AddressInfo, createServer, isIP, type LookupFunction } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { meantAmong, routesTo } from './routes.ts';

const server = createServer((socket) => socket.on('error', () => socket.destroy()));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const { port } = server.address() as AddressInfo;

const at =
  (...addresses: readonly string[]): LookupFunction =>
  (_host, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
const NONE = { addresses: [], speaksHttp2: false };
const routes = (baseUrl: string, resolver?: LookupFunction) =>
  routesTo({ baseUrl, clientCertificate: undefined }, resolver);

test('a target that is named by its address has no other way', async () => {
  expect(await routes(`http://127.0.0.1:${port}`, at('127.0.0.1', '127.0.0.2'))).toEqual(NONE);
});

test('an address that takes no connection is left out, and one alone is no other way', async () => {
  expect(await routes(`http://localhost:${port}`, at('127.0.0.1', '127.0.0.2'))).toEqual(NONE);
});

test('a public name leads to no near address, and a near one to each', () => {
  const named = (...addresses: readonly string[]) => addresses.map((address) => ({ address, family: isIP(address) }));
  const near = named('127.0.0.1', '::1');
  expect(meantAmong(near)).toEqual(near);
  expect(meantAmong(named('127.0.0.1', '1.1.1.1', '169.254.169.254', '2606:4700::1'))).toEqual(
    named('1.1.1.1', '2606:4700::1'),
  );
});

test('a name that nobody knows has no other way', async () => {
  const unknown: LookupFunction = (_host, _options, done) => done(new Error('ENOTFOUND'), []);
  expect(await routes(`http://localhost:${port}`, unknown)).toEqual(NONE);
});

test('a server that takes connections and does not speak TLS speaks no HTTP/2', async () => {
  server.once('connection', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await routes(`https://localhost:${port}`, at('127.0.0.1'))).toEqual(NONE);
});

test('a target behind a proxy is reached by the way of the proxy', async () => {
  process.env['HTTP_PROXY'] = 'http://proxy.example:8080';
  try {
    expect(await routes('http://target.example', at('127.0.0.1', '127.0.0.2'))).toEqual(NONE);
  } finally {
    delete process.env['HTTP_PROXY'];
  }
});
