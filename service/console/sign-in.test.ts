import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { at, client, demoService, demoServiceForTest, password, signedIn } from '../testing/client.ts';
import { cookieJar } from './session.ts';

let service: RunningService;
beforeAll(async () => {
  service = await demoService();
});
afterAll(() => service?.close());

describe('signing in', () => {
  test('redirects through the authorization server and back to the requested page', async () => {
    const { page } = await signedIn(service, 'grace', '/admin/audit?page=1');
    expect(page).toMatchObject({ status: 200, url: { pathname: '/admin/audit', search: '?page=1' } });
    expect(page.text).toContain('grace@alder-finch.example signed in');
  });

  test('uses the code flow with PKCE and always asks for the password', async () => {
    const { headers } = await client(service).once('/admin/sign-in');
    const location = new URL(headers.get('location') ?? '');
    expect(location.origin).toBe(service.authorizationServerUrl);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid',
      prompt: 'login',
      redirect_uri: `${service.apiUrl}/admin/signed-in`,
    });
  });

  test.each([
    '//evil.example',
    'https://evil.example',
    '/admin@evil.example',
    '/adminx',
    '/admin/\\evil.example',
    '/other',
  ])('never redirects to %s', async (goal) => {
    const { page } = await signedIn(service, 'mei', `/admin/sign-in?${new URLSearchParams({ goal })}`);
    expect(page.url.href).toBe(`${service.apiUrl}/admin`);
  });

  test('refuses an answer that belongs to another browser or another server', async () => {
    const mine = client(service);
    const other = client(service);
    const form = await other.get('/admin');
    await mine.get('/admin');
    // If my browser accepted the other browser's answer, it would be signed in as the other person.
    const signIn = await other.once(form.url.href, {
      method: 'POST',
      body: new URLSearchParams({ email: at('grace'), password }),
    });
    const resumed = await other.once(signIn.headers.get('location') ?? '');
    const answer = resumed.headers.get('location') ?? '';
    expect(answer).toContain('/admin/signed-in?code=');
    const refused = await mine.get(answer);
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.text).toContain('has expired or was started in another browser');
    expect([...mine.cookies.keys()]).not.toContain('console');
    // RFC 9207 2.4
    const otherServer = await other.get(answer.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example'));
    expect(otherServer).toMatchObject({ status: 403 });
  });

  test('starts a new session and ends the previous one', async () => {
    const previous = await signedIn(service, 'priya');
    const browser = client(service);
    browser.cookies.set('console', previous.cookies.get('console') ?? '');
    const form = await browser.get('/admin/sign-in');
    await browser.post(form.url.href, { email: at('mei'), password });
    expect(browser.cookies.get('console')).not.toBe(previous.cookies.get('console'));
    expect((await previous.once('/admin')).status).toBe(303);
  });
});

describe('a session', () => {
  test('ends when the person signs out, also for a copy of its cookie', async () => {
    const browser = await signedIn(service, 'mei');
    const copy = browser.cookies.get('console') ?? '';
    const signedOut = await browser.post('/admin/sign-out', {});
    expect(signedOut.text).toContain('You are signed out');
    browser.cookies.set('console', copy);
    expect((await browser.once('/admin')).status).toBe(303);
  });

  test('ends after a working day', async () => {
    const now = { value: Date.now() };
    const ownService = await demoServiceForTest(() => now.value);
    const browser = await signedIn(ownService, 'mei');
    expect((await browser.once('/admin')).status).toBe(200);
    now.value += 8 * 60 * 60 * 1000;
    expect((await browser.once('/admin')).status).toBe(303);
  });
});

test('over https a cookie is bound to the host and to TLS', () => {
  const jar = cookieJar('https://api.example');
  expect(jar.write('console', 'x', 60)).toBe('__Host-console=x; HttpOnly; SameSite=Lax; Max-Age=60; Path=/; Secure');
  expect(jar.read('a=b; __Host-console=x; c=d', 'console')).toBe('x');
  // Another host can set a cookie without the prefix.
  expect(jar.read('console=planted', 'console')).toBeUndefined();
});

test('over http a cookie is limited to the console and hidden from scripts', () => {
  const jar = cookieJar('http://127.0.0.1:8080');
  expect(jar.write('console', '', 0)).toBe('console=; HttpOnly; SameSite=Lax; Max-Age=0; Path=/admin');
  expect(jar.read('other-console=y; console=x', 'console')).toBe('x');
  expect(jar.read(undefined, 'console')).toBeUndefined();
});
