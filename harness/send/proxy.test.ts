import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isConfigurationError } from '../contract/configuration-error.ts';
import { isLoopback } from '../settings/parse-values.ts';
import { serveHttp, serveSocket } from '../testing/local-server.ts';
import { connectThrough, proxyFor } from './proxy.ts';
import { failureOf } from './raw-socket.ts';

describe('the proxy of a target is', () => {
  const HTTPS_PROXY = 'http://proxy.example:3128';
  test.each<[string, string, Record<string, string>, string | undefined]>([
    ['none', 'https://api.example', {}, undefined],
    ['HTTPS_PROXY for https', 'https://api.example', { HTTPS_PROXY }, 'proxy.example:3128'],
    [
      'https_proxy rather than HTTPS_PROXY',
      'https://api.example',
      { HTTPS_PROXY, https_proxy: 'http://other:1' },
      'other:1',
    ],
    [
      'HTTP_PROXY for https if there is no HTTPS_PROXY',
      'https://api.example',
      { HTTP_PROXY: 'http://plain:1' },
      'plain:1',
    ],
    ['none for http if there is only HTTPS_PROXY', 'http://api.example', { HTTPS_PROXY }, undefined],
    ['an address without a scheme', 'https://api.example', { HTTPS_PROXY: 'proxy.example:3128' }, 'proxy.example:3128'],
    ['none if the variable is empty', 'https://api.example', { HTTPS_PROXY: '' }, undefined],
    ['none for a host in NO_PROXY', 'https://api.example', { HTTPS_PROXY, NO_PROXY: 'x, api.example' }, undefined],
    ['none for a subdomain of NO_PROXY', 'https://a.api.example', { HTTPS_PROXY, NO_PROXY: '.api.example' }, undefined],
    [
      'HTTPS_PROXY for a host that only ends like NO_PROXY',
      'https://myapi.example',
      { HTTPS_PROXY, NO_PROXY: 'api.example' },
      'proxy.example:3128',
    ],
    [
      'HTTPS_PROXY for another port than that in NO_PROXY',
      'https://api.example',
      { HTTPS_PROXY, NO_PROXY: 'api.example:8443' },
      'proxy.example:3128',
    ],
    [
      'none for the port in no_proxy',
      'https://api.example:8443',
      { HTTPS_PROXY, no_proxy: 'api.example:8443' },
      undefined,
    ],
    ['none for a range in NO_PROXY', 'https://10.1.2.3', { HTTPS_PROXY, NO_PROXY: 'x,10.0.0.0/8' }, undefined],
    [
      'none for an address of IPv6 in NO_PROXY',
      'https://[2001:db8::1]',
      { HTTPS_PROXY, NO_PROXY: '2001:DB8::1' },
      undefined,
    ],
    [
      'HTTPS_PROXY for an address outside of a range',
      'https://11.1.2.3',
      { HTTPS_PROXY, NO_PROXY: '10.0.0.0/8,11.1.2.0/a,11.1.2.3/33,11.0.0.0/,11.0.0.0/8.5,::/0' },
      'proxy.example:3128',
    ],
    ['none if NO_PROXY is *', 'https://api.example', { HTTPS_PROXY, NO_PROXY: '*' }, undefined],
    ['none for loopback', 'http://127.0.0.1:8080', { HTTP_PROXY: HTTPS_PROXY }, undefined],
  ])('%s', (_what, target, environment, host) => {
    expect(proxyFor(target, environment)?.host).toBe(host);
  });

  test.each([
    ['it is not http or https', 'socks5://user:s3cret@proxy'],
    ['its password has a % that is none of an escape', 'http://user:s3cret%@proxy'],
  ])('a configuration error that does not show the value if %s', (_what, named) => {
    try {
      proxyFor('https://api.example', { HTTPS_PROXY: named });
      expect.unreachable();
    } catch (error) {
      expect(isConfigurationError(error)).toBe(true);
      expect(String(error)).not.toContain('s3cret');
    }
  });
});

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['[::1]', true],
  ['127.example.com', false],
  ['127.0.0.1.example.com', false],
  ['localhost.example.com', false],
  ['10.0.0.1', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

describe('a connection through a proxy', () => {
  const opened: (() => void)[] = [];
  afterEach(() => {
    vi.useRealTimers();
    for (const close of opened.splice(0)) close();
  });

  /** A proxy that connects to any host, or answers with another status. */
  async function serveProxy(status = 200): Promise<{ url: URL; asked: (string | undefined)[] }> {
    const asked: (string | undefined)[] = [];
    const server: Server = createServer().on('connect', ({ url = '', headers }, socket) => {
      asked.push(url, headers['proxy-authorization']);
      socket.on('error', () => undefined);
      if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      const [host, port] = url.split(':');
      const far = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        far.pipe(socket).pipe(far);
      });
      return far.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push(() => server.close());
    return { url: new URL(`http://me:s%40cret@127.0.0.1:${(server.address() as AddressInfo).port}`), asked };
  }

  test('reaches the target, and sends the credentials of the proxy to the proxy', async () => {
    const target = await serveHttp((_, response) => response.end('reached'));
    opened.push(() => void target.close());
    const { url, asked } = await serveProxy();
    const socket = await connectThrough(url, new URL(target.url), { timeoutMs: 1000 });
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    socket.write('GET / HTTP/1.1\r\nHost: target\r\nConnection: close\r\n\r\n');
    expect(await answer).toContain('reached');
    expect(asked).toEqual([new URL(target.url).host, `Basic ${Buffer.from('me:s@cret').toString('base64')}`]);
    socket.destroy();
  });

  /** A proxy that sends a greeting and then nothing. `left` resolves when its client has closed the connection. */
  async function serveSilence(greeting: string) {
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    const silent = await serveSocket((socket) => {
      socket.once('data', () => socket.write(greeting)).on('close', leave);
      socket.resume();
    });
    opened.push(() => void silent.close());
    return { url: new URL(silent.url), left };
  }

  test.each([
    ['the proxy does not answer', ''],
    ['the target behind it does not complete the TLS handshake', 'HTTP/1.1 200 Connection established\r\n\r\n'],
  ])('times out if %s', async (_when, greeting) => {
    const { url, left } = await serveSilence(greeting);
    const failed = await connectThrough(url, new URL('https://api.example'), { timeoutMs: 200 }).catch(failureOf);
    expect(failed).toMatchObject({ kind: 'failure', failure: 'timeout' });
    await left;
  });

  test('is not closed when the timeout ends after it was established', async () => {
    const target = await serveHttp((_, response) => response.end('reached'));
    opened.push(() => void target.close());
    const { url } = await serveProxy();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const socket = await connectThrough(url, new URL(target.url), { timeoutMs: 1000 });
    vi.advanceTimersByTime(2000);
    vi.useRealTimers();
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    socket.write('GET / HTTP/1.1\r\nHost: target\r\nConnection: close\r\n\r\n');
    expect(await answer).toContain('reached');
  });

  test('fails with the status of a proxy that refuses it', async () => {
    const { url } = await serveProxy(407);
    const failed = await connectThrough(url, new URL('https://api.example'), { timeoutMs: 1000 }).catch(failureOf);
    expect(failed).toMatchObject({ kind: 'failure', detail: 'the proxy refused the connection (PROXY_ANSWERED_407)' });
  });

  test.each([
    ['is down', (proxy: Socket) => proxy.destroy(), 'PROXY_ECONNRESET'],
    ['is no proxy', (proxy: Socket) => proxy.end('SSH-2.0-x\r\n'), 'PROXY_HPE_INVALID_CONSTANT'],
  ])('fails with what the proxy did, and not as if the target had done it, where it %s', async (_what, does, code) => {
    const proxy = await serveSocket(does);
    opened.push(() => void proxy.close());
    const failed = await connectThrough(new URL(proxy.url), new URL('https://api.example'), { timeoutMs: 1000 }).catch(
      failureOf,
    );
    expect(failed).toEqual({ kind: 'failure', failure: 'other', detail: `no connection through the proxy (${code})` });
  });
});
