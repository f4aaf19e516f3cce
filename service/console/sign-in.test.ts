import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { at, client, demoService, demoServiceForTest, signedIn } from '../testing/client.ts';

let service: RunningService;
beforeAll(async () => {
  service = await demoService();
});
afterAll(() => service?.close());

describe('signing in', () => {
  test('leads through the authorization server back to the page that was asked for', async () => {
    const { page } = await signedIn(service, 'grace', '/admin/audit?page=1');
    expect(page).toMatchObject({ status: 200, url: { pathname: '/admin/audit', search: '?page=1' } });
    expect(page.text).toContain('grace@alder-finch.example signed in');
  });

  test('asks for code and PKCE, and for the person, not for consent', async () => {
    const { headers } = await client(service).once('/admin/sign-in');
    const asked = new URL(headers.get('location') ?? '');
    expect(asked.origin).toBe(service.authorizationServerUrl);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
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
  ])('never leads to %s', async (goal) => {
    const { page } = await signedIn(service, 'mei', `/admin/sign-in?${new URLSearchParams({ goal })}`);
    expect(page.url.href).toBe(`${service.apiUrl}/admin`);
  });

  test('is refused to an answer that this browser did not ask for', async () => {
    const mine = client(service);
    const other = client(service);
    const form = await other.get('/admin');
    await mine.get('/admin');
    // The other's answer, caught on its way and put into my browser: I would act in their name.
    const sent = await other.once(form.url.href, {
      method: 'POST',
      body: new URLSearchParams({ email: at('grace'), password: 'correct horse' }),
    });
    const back = await other.once(sent.headers.get('location') ?? '');
    const answer = back.headers.get('location') ?? '';
    expect(answer).toContain('/admin/signed-in?code=');
    const refused = await mine.get(answer);
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.text).toContain('no longer open');
    expect([...mine.cookies.keys()]).not.toContain('console');
    // Nor to one that names another server (RFC 9207).
    const elsewhere = await other.get(answer.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example'));
    expect(elsewhere).toMatchObject({ status: 403 });
  });

  test('begins a new session and ends the one before', async () => {
    const planted = await signedIn(service, 'priya');
    const browser = client(service);
    browser.cookies.set('console', planted.cookies.get('console') ?? '');
    const form = await browser.get('/admin/sign-in');
    await browser.post(form.url.href, { email: at('mei'), password: 'correct horse' });
    expect(browser.cookies.get('console')).not.toBe(planted.cookies.get('console'));
    expect((await planted.once('/admin')).status).toBe(303);
  });

  test('ends with signing out, in the store as well', async () => {
    const browser = await signedIn(service, 'mei');
    const kept = browser.cookies.get('console') ?? '';
    const out = await browser.post('/admin/sign-out', {});
    expect(out.text).toContain('You are signed out');
    browser.cookies.set('console', kept);
    expect((await browser.once('/admin')).status).toBe(303);
  });

  test('is over after a working day', async () => {
    const now = { value: Date.now() };
    const own = await demoServiceForTest(() => now.value);
    const browser = await signedIn(own, 'mei');
    expect((await browser.once('/admin')).status).toBe(200);
    now.value += 8 * 60 * 60 * 1000;
    expect((await browser.once('/admin')).status).toBe(303);
  });
});
