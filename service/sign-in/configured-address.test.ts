import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../listen.ts';
import { type RunningService, startService } from '../start.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';

/** A service that is reached as https://login.example.com. Returns a function that sends exactly these lines to it. */
async function running(): Promise<(lines: readonly string[]) => Promise<string>> {
  const { login } = await startOnFreePorts();
  return (lines) => exchange(login, lines);
}

/**
 * Starts a service with these public addresses, on two free ports. Another process may take a port between the search for it
 * and the start, so it tries three times.
 */
async function startOnFreePorts(attempts = 3): Promise<{ service: RunningService; api: number; login: number }> {
  const [api = 0, login = 0] = await freePorts(2);
  try {
    const service = await startService({
      publicUrl: 'https://api.example.com',
      authorizationServerPublicUrl: 'https://login.example.com',
      port: api,
      authorizationServerPort: login,
      passwordCost: cheapPasswordCost,
    });
    onTestFinished(service.close);
    return { service, api, login };
  } catch (error) {
    if (attempts === 1 || Object(error).code !== 'EADDRINUSE') throw error;
    return startOnFreePorts(attempts - 1);
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen()));
  for (const { close } of servers) await close();
  return servers.map(({ url }) => Number(new URL(url).port));
}

function exchange(port: number, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
    socket.end([...lines, 'Connection: close', '', ''].join('\r\n'));
  });
}
const metadata = '/.well-known/oauth-authorization-server';

describe('the addresses in the metadata', () => {
  test.each([
    ['Host', [`GET ${metadata} HTTP/1.1`, 'Host: evil.example']],
    ['X-Forwarded-Host', [`GET ${metadata} HTTP/1.1`, 'Host: login.example.com', 'X-Forwarded-Host: evil.example']],
    ['X-Forwarded-Proto', [`GET ${metadata} HTTP/1.1`, 'Host: login.example.com', 'X-Forwarded-Proto: http']],
    ['Forwarded', [`GET ${metadata} HTTP/1.1`, 'Host: login.example.com', 'Forwarded: host=evil.example;proto=http']],
    ['an absolute request target', [`GET http://evil.example${metadata} HTTP/1.1`, 'Host: login.example.com']],
    [
      'a request target with user information',
      [`GET https://login.example.com@evil.example${metadata} HTTP/1.1`, 'Host: x'],
    ],
  ])('do not follow %s', async (_what, lines) => {
    const send = await running();
    const answer = await send(lines);
    expect(answer).toContain('"issuer":"https://login.example.com"');
    expect(answer).not.toContain('evil.example');
    expect(answer).not.toContain('http://');
    expect(answer).toContain('"registration_endpoint":"https://login.example.com/reg"');
  });
});

test('the cookies of a server with an https address are Secure, whatever the headers say', async () => {
  const send = await running();
  const query = new URLSearchParams({
    client_id: 'admin-console',
    response_type: 'code',
    redirect_uri: 'https://api.example.com/admin/signed-in',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const answer = await send([`GET /auth?${query} HTTP/1.1`, 'Host: evil.example', 'X-Forwarded-Proto: http']);
  const cookies = answer.match(/^set-cookie: .*$/gim) ?? [];
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie).toMatch(/; secure/i);
  for (const cookie of cookies) expect(cookie).toMatch(/; httponly/i);
  expect(answer).not.toContain('evil.example');
});

describe('the headers of every answer', () => {
  test.each([
    ['the metadata', `GET ${metadata}`],
    ['an error page', 'GET /auth?client_id=nobody'],
    ['a sign-in page', 'GET /interaction/nothing'],
    ['an unknown path', 'GET /nothing'],
    ['the token endpoint', 'POST /token'],
  ])('forbid plain http, sniffing and framing (%s)', async (_what, line) => {
    const send = await running();
    const answer = await send([`${line} HTTP/1.1`, 'Host: login.example.com', 'Accept: text/html']);
    expect(answer).toMatch(/^strict-transport-security: max-age=\d{8}/im);
    expect(answer).toMatch(/^x-content-type-options: nosniff/im);
    expect(answer).toMatch(/^referrer-policy: no-referrer/im);
    expect(answer).toMatch(/^content-security-policy: default-src 'none';.*frame-ancestors 'none'/im);
  });
});

test('a person signs in to the console behind a proxy that ends TLS', async () => {
  const { service, api, login } = await startOnFreePorts();
  const ann = { email: 'ann@example.com', password: 'correct horse' };
  await service.context.store.people.add({ ...ann, name: 'Ann', role: 'user' });
  const ports: Record<string, number> = { 'https://api.example.com': api, 'https://login.example.com': login };
  const cookies = new Map<string, string>();
  // The proxy sends requests on and adds nothing.
  const visit = async (url: URL, body?: URLSearchParams) => {
    const jar = [...cookies]
      .filter(([name]) => name.startsWith(url.host))
      .map(([name, value]) => `${name.split(' ')[1]}=${value}`);
    const answer = await fetch(`http://127.0.0.1:${ports[url.origin]}${url.pathname}${url.search}`, {
      ...(body && { method: 'POST', body }),
      headers: { cookie: jar.join('; ') },
      redirect: 'manual',
    });
    for (const line of answer.headers.getSetCookie()) {
      expect(line).toMatch(/; secure/i);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(`${url.host} ${name}`, value);
    }
    const location = answer.headers.get('location');
    return { text: await answer.text(), next: location === null ? undefined : new URL(location, url) };
  };
  let url = new URL('https://api.example.com/admin');
  let answer = await visit(url);
  for (let pages = 0; pages < 10 && (answer.next || answer.text.includes('name="password"')); pages += 1) {
    url = answer.next ?? url;
    answer = answer.next ? await visit(url) : await visit(url, new URLSearchParams(ann));
  }
  expect(url.href).toBe('https://api.example.com/admin');
  expect(answer.text).toContain('Ann');
  expect([...cookies.keys()]).toEqual(
    expect.arrayContaining(['login.example.com __Host-session', 'api.example.com __Host-console']),
  );
});
