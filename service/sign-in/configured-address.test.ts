import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../listen.ts';
import { startService } from '../start.ts';

/** A service that is reached as https://login.example.com. Returns a function that sends exactly these lines to it. */
async function running(): Promise<(lines: readonly string[]) => Promise<string>> {
  const free = await listen();
  const port = Number(new URL(free.url).port);
  await free.close();
  const service = await startService({
    publicUrl: 'https://api.example.com',
    authorizationServerPublicUrl: 'https://login.example.com',
    authorizationServerPort: port,
  });
  onTestFinished(service.close);
  return (lines) => exchange(port, lines);
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
