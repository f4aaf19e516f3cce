import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { send, submit, toPage } from '../testing/attacker.ts';
import { at, type Client, client, demoService, password, signedIn } from '../testing/client.ts';
import { redirectUri, type StockClient, stockClient } from '../testing/stock-client.ts';

let service: RunningService;
let app: StockClient;
const priya = { email: at('priya'), password };

beforeAll(async () => {
  service = await demoService();
  app = await stockClient(service.apiUrl);
});
afterAll(() => service?.close());

const browserThere = () => client({ apiUrl: service.authorizationServerUrl });
const signInPage = async (browser: Client, changes = {}) =>
  toPage(browser, (await app.begin('SEARCH', changes)).url.href);
const isSignIn = ({ text }: { text: string }) => text.includes('name="password"');
/** A browser with these cookies of another one. */
const thief = (victim: Client, names: RegExp) => {
  const browser = browserThere();
  for (const [name, value] of victim.cookies) if (names.test(name)) browser.cookies.set(name, value);
  return browser;
};

describe('session fixation (ASVS 3.2.1)', () => {
  test('a session that an attacker planted before the sign-in is another one afterwards', async () => {
    const victim = browserThere();
    await submit(victim, await signInPage(victim), priya);
    const planted = thief(victim, /^_session/);
    // The person signs in again with the session that the attacker knows.
    await submit(victim, await signInPage(victim, { prompt: 'login' }), priya);
    expect(victim.cookies.get('_session')).not.toBe(planted.cookies.get('_session'));
    expect(isSignIn(await signInPage(planted))).toBe(true);
  });

  test('a session with a made-up id signs nobody in', async () => {
    const browser = browserThere();
    browser.cookies.set('_session', 'attacker-chosen-session-id-0000000000000000');
    const page = await signInPage(browser);
    expect(isSignIn(page)).toBe(true);
    await submit(browser, page, priya);
    expect(browser.cookies.get('_session')).not.toContain('attacker');
  });

  test('a session cookie without its signature, or with a changed one, signs nobody in (ASVS 3.5.3)', async () => {
    const victim = browserThere();
    await submit(victim, await signInPage(victim), priya);
    expect(isSignIn(await signInPage(thief(victim, /^_session$/)))).toBe(true);
    const changed = thief(victim, /^_session/);
    changed.cookies.set('_session.sig', 'A'.repeat(27));
    expect(isSignIn(await signInPage(changed))).toBe(true);
  });

  test('a console cookie that an attacker planted does not survive the sign-in, for either of them', async () => {
    const attacker = await signedIn(service, 'mei');
    const victim = client(service);
    victim.cookies.set('console', attacker.cookies.get('console') ?? '');
    const form = await victim.get('/admin/sign-in');
    await victim.post(form.url.href, { email: at('priya'), password });
    expect((await attacker.once('/admin')).status).toBe(303);
    expect((await victim.get('/admin')).text).toContain('Priya');
  });
});

describe('a sign-in page that belongs to another browser (ASVS 3.7, RFC 9700 4.7)', () => {
  test.each(['cross-site', 'same-site', 'none'])(
    'takes no password and no decision from a form that is %s',
    async (site) => {
      const victim = browserThere();
      const page = await signInPage(victim);
      const post = (url: URL, fields: Record<string, string>, headers: Record<string, string>) =>
        victim.once(url.href, { method: 'POST', body: new URLSearchParams(fields), headers });
      expect((await post(page.url, priya, { 'sec-fetch-site': site })).status).toBe(403);
      const consent = await submit(victim, page, priya);
      expect((await post(consent.url, { decision: 'allow' }, { 'sec-fetch-site': site })).status).toBe(403);
      const own = await post(consent.url, { decision: 'allow' }, { 'sec-fetch-site': 'same-origin' });
      expect(own.status).toBe(303);
    },
  );

  test('takes no password and no decision without its cookie', async () => {
    const victim = browserThere();
    const page = await signInPage(victim);
    for (const fields of [priya, { decision: 'allow' }]) {
      const answer = await browserThere().once(page.url.href, { method: 'POST', body: new URLSearchParams(fields) });
      expect(answer.status).toBe(400);
    }
  });

  test('cannot be answered with the cookie of another interaction', async () => {
    const [victim, attacker] = [browserThere(), browserThere()];
    const page = await signInPage(victim);
    const own = await signInPage(attacker);
    await attacker.once(page.url.href, { method: 'POST', body: new URLSearchParams({ email: at('mei'), password }) });
    // The cookie decides, so the attacker has answered their own page.
    expect(isSignIn(await toPage(victim, page.url.href))).toBe(true);
    const uid = own.url.pathname.split('/').at(-1);
    const next = await toPage(attacker, `${service.authorizationServerUrl}/auth/${uid}`);
    expect(next.text).toContain('Mei');
  });

  test('a consent of one person cannot be given from the session of another', async () => {
    const victim = browserThere();
    const consent = await submit(victim, await signInPage(victim), priya);
    const attacker = browserThere();
    await submit(attacker, await signInPage(attacker), { email: at('mei'), password });
    // The attacker puts their own session next to the interaction of the victim.
    for (const [name, value] of victim.cookies) if (name.startsWith('_interaction')) attacker.cookies.set(name, value);
    const answer = await submit(attacker, consent, { decision: 'allow' });
    expect(answer.headers.get('location') ?? '').not.toContain('code=');
  });

  test('a decision on the page that asks for the password skips nothing', async () => {
    const browser = browserThere();
    const page = await signInPage(browser);
    const answer = await submit(browser, page, { decision: 'allow', login: 'priya', accountId: 'x' });
    expect(isSignIn(answer)).toBe(true);
    expect(answer.headers.get('location') ?? '').not.toContain('code=');
  });

  test('the address that goes on cannot be opened before the password (ASVS 4.2.2)', async () => {
    const browser = browserThere();
    const page = await signInPage(browser);
    const uid = page.url.pathname.split('/').at(-1);
    expect((await toPage(browser, `${service.authorizationServerUrl}/auth/${uid}`)).status).toBe(400);
    expect((await browserThere().once(`${service.authorizationServerUrl}/auth/${uid}`)).status).toBe(400);
  });
});

test('signing in as somebody else in the same browser never mixes the two people', async () => {
  const browser = browserThere();
  await submit(browser, await signInPage(browser), priya);
  const answer = await submit(browser, await signInPage(browser, { prompt: 'login' }), { email: at('mei'), password });
  expect(answer.status).toBeLessThan(500);
  const next = await signInPage(browser);
  expect(next.text).not.toMatch(/Priya[\s\S]*mei@|Mei[\s\S]*priya@/);
});

test.each<[string, Record<string, string>]>([
  ['without its secret', { logout: 'yes' }],
  ['with a made-up secret', { logout: 'yes', xsrf: 'x' }],
  ['with an empty secret', { logout: 'yes', xsrf: '' }],
])('a form %s does not sign a person out of the authorization server (logout CSRF)', async (_how, fields) => {
  const browser = browserThere();
  await submit(browser, await signInPage(browser), priya);
  const body = new URLSearchParams(fields);
  await browser.once(`${service.authorizationServerUrl}/session/end/confirm`, { method: 'POST', body });
  expect(isSignIn(await signInPage(browser))).toBe(false);
});

describe('forged requests (CSRF, ASVS 4.2.2, 13.2.3)', () => {
  test.each([
    ['text/plain', 'csrf=x&description=x'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/json', '{"csrf":"x"}'],
    ['', 'csrf=x'],
  ])('a form as "%s" changes nothing', async (type, body) => {
    const grace = await signedIn(service, 'grace');
    const answer = await grace.once('/admin/tokens', { method: 'POST', body, headers: { 'content-type': type } });
    expect([400, 403, 415]).toContain(answer.status);
  });

  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s changes nothing in the console', async (method) => {
    const grace = await signedIn(service, 'grace');
    const answer = await grace.once('/admin/sign-out', { method });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((await grace.once('/admin')).status).toBe(200);
  });

  test.each(['/admin/sign-out', '/admin/tokens', '/admin/people/x/remove', '/admin/tokens/x/revoke'])(
    'GET %s with the fields of its form changes nothing',
    async (path) => {
      const grace = await signedIn(service, 'grace');
      const csrf = /name="csrf" value="([^"]+)"/.exec(grace.page.text)?.[1] ?? '';
      await grace.once(`${path}?${new URLSearchParams({ csrf, description: 'x' })}`);
      expect((await grace.once('/admin')).status).toBe(200);
    },
  );

  test('the method cannot be changed by a header or a field', async () => {
    const grace = await signedIn(service, 'grace');
    await grace.once('/admin/sign-out?_method=POST', { headers: { 'x-http-method-override': 'POST' } });
    expect((await grace.once('/admin')).status).toBe(200);
  });

  test('a stranger cannot finish their own sign-in in the browser of a victim (login CSRF, RFC 9700 4.7)', async () => {
    const attacker = client(service);
    const form = await attacker.get('/admin');
    const answer = await submit(attacker, form, { email: at('mei'), password });
    const back = answer.headers.get('location') ?? '';
    expect(back).toContain('code=');
    const victim = client(service);
    await victim.get('/admin/sign-in');
    expect((await victim.once(back)).status).toBe(403);
    expect([...victim.cookies.keys()]).not.toContain('console');
  });

  test('the answer to a sign-in cannot be used a second time, also not by its own browser', async () => {
    const browser = client(service);
    const answer = await submit(browser, await browser.get('/admin'), priya);
    const back = answer.headers.get('location') ?? '';
    const pending = browser.cookies.get('console-sign-in') ?? '';
    expect((await browser.once(back)).status).toBe(303);
    browser.cookies.set('console-sign-in', pending);
    expect((await browser.once(back)).status).toBe(403);
  });
});

describe('the cookies (ASVS 3.4)', () => {
  test('are hidden from scripts and are not sent by other sites', async () => {
    const lines: string[] = [];
    const { headers } = await send(`${service.apiUrl}/admin/sign-in`);
    lines.push(...[headers['set-cookie'] ?? []].flat());
    lines.push(...[(await send(String(headers['location']))).headers['set-cookie'] ?? []].flat());
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatch(/httponly/i);
    for (const line of lines) expect(line).toMatch(/samesite=lax/i);
  });

  test('of the sign-in hold no code, token or password', async () => {
    const browser = client(service);
    await submit(browser, await browser.get('/admin'), priya);
    for (const value of browser.cookies.values()) {
      expect(decodeURIComponent(value)).not.toContain(password);
      expect(Buffer.from(value, 'base64url').toString()).not.toContain(password);
    }
  });
});

test.each(['/admin', '/admin/audit', '/admin/people', '/admin/applications', '/admin/tokens/new', '/admin/x'])(
  'a stranger sees nothing of %s (ASVS 4.1.1)',
  async (path) => {
    const { status, headers, text } = await send(service.apiUrl + path);
    expect({ status, text }).toEqual({ status: 303, text: '' });
    expect(String(headers['location'])).toMatch(/^\/admin\/sign-in\?goal=/);
  },
);

test('the sign-in page goes back only to the client that asked, after every kind of end', async () => {
  const browser = browserThere();
  const consent = await submit(browser, await signInPage(browser), priya);
  const answer = await submit(browser, consent, { decision: 'neither' });
  expect(answer.headers.get('location')).toContain(`${redirectUri}?error=access_denied`);
});
