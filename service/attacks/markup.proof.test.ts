import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { authorizationRequest, register, send, submit, toPage } from '../testing/attacker.ts';
import { at, type Client, client, demoService, password, personNamed, signedIn } from '../testing/client.ts';

let service: RunningService;
let grace: Client;
let mei: Client;

beforeAll(async () => {
  service = await demoService();
  grace = await signedIn(service, 'grace');
  mei = await signedIn(service, 'mei');
});
afterAll(() => service?.close());

describe('markup (XSS, ASVS 5.3.3)', () => {
  const markup = `"><img src=x onerror=alert(1)><script>alert('x')</script>`;
  const isClean = (text: string) => !/<img|<script>alert/.test(text);

  test('in the description of a token is text in the list, on its pages and in the audit trail', async () => {
    const fields = { form: 'xss', description: markup, permission: 'USER', userEmail: at('mei'), scopes: 'SEARCH' };
    const created = await mei.post('/admin/tokens', fields);
    expect(created.text).toContain('Token created');
    const path = created.url.pathname;
    for (const page of ['/admin', '/admin/audit', path, `${path}/revoke`]) {
      const { text } = await grace.get(page);
      expect(text).toContain('&#60;script&#62;');
      expect(isClean(text)).toBe(true);
    }
  });

  test.each(['words', 'state', 'page', 'goal', 'error', 'error_description', 'iss'])(
    'in the parameter %s is not in the page',
    async (name) => {
      const query = new URLSearchParams({ [name]: markup });
      for (const path of [
        '/admin',
        '/admin/audit',
        '/admin/applications',
        '/admin/signed-in',
        '/admin/signed-out',
        '/admin/nothing',
      ])
        expect(isClean((await grace.once(`${path}?${query}`)).text)).toBe(true);
    },
  );

  test.each(['description', 'permission', 'userEmail', 'scopes', 'expires', 'suggest', 'form'])(
    'in the field %s of a refused form is text',
    async (field) => {
      const fields = {
        form: `x-${field}`,
        description: '',
        permission: 'USER',
        userEmail: '',
        scopes: 'x',
        [field]: markup,
      };
      expect(isClean((await mei.post('/admin/tokens', fields)).text)).toBe(true);
    },
  );

  test('in an email of a refused sign-in is text', async () => {
    const browser = client(service);
    const { text } = await submit(browser, await browser.get('/admin'), { email: markup, password: 'x' });
    expect(isClean(text)).toBe(true);
  });

  test.each([
    'client_id',
    'redirect_uri',
    'scope',
    'response_type',
    'response_mode',
    'resource',
    'prompt',
    'max_age',
    'ui_locales',
    'code_challenge',
  ])('in the parameter %s of an authorization request is text in the page of the error', async (name) => {
    const { json } = await register(service, { redirect_uris: [`https://${name.replace('_', '-')}.example/cb`] });
    const { url } = authorizationRequest(service, {
      client_id: String(json['client_id']),
      redirect_uri: `https://${name.replace('_', '-')}.example/cb`,
      [name]: markup,
    });
    const { text, headers } = await send(url.href, { headers: { accept: 'text/html' } });
    expect(isClean(text)).toBe(true);
    expect(String(headers['location'] ?? '')).not.toContain('<');
  });

  test('in the state stays inside its field when the answer is a form (form_post)', async () => {
    const redirect_uri = 'https://form.example/cb';
    const { json } = await register(service, { redirect_uris: [redirect_uri] });
    const { url } = authorizationRequest(service, {
      client_id: String(json['client_id']),
      redirect_uri,
      response_mode: 'form_post',
      state: markup,
    });
    const browser = client({ apiUrl: service.authorizationServerUrl });
    const consent = await submit(browser, await toPage(browser, url.href), { email: at('priya'), password });
    const answer = await submit(browser, consent, { decision: 'allow' });
    expect(answer.text).toContain('name="code"');
    expect(isClean(answer.text)).toBe(true);
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'sha256-/);
  });

  test('in a path is not in the page that says so', async () => {
    for (const url of [service.apiUrl, service.authorizationServerUrl, `${service.apiUrl}/admin`]) {
      const { text } = await send(`${url}/${encodeURIComponent(markup)}`, { headers: { accept: 'text/html' } });
      expect(isClean(text)).toBe(true);
    }
  });
});

describe('text that hides what it is (ASVS 5.1.3)', () => {
  test.each([
    ['nothing visible', '\u200b\u200b'],
    ['an invisible letter', '\u3164'],
    ['a right-to-left override', 'harmless \u202e gnp.exe'],
    ['a line feed', 'one\ntwo'],
    ['a null character', 'one\u0000two'],
  ])('is refused as the description of a token: %s', async (_what, description) => {
    const fields = { form: description, description, permission: 'USER', userEmail: at('mei'), scopes: 'SEARCH' };
    const { status, text } = await mei.post('/admin/tokens', fields);
    expect({ status, created: text.includes('Token created') }).toEqual({ status: 422, created: false });
  });

  test('is cut where the audit trail repeats what a person without the role sent', async () => {
    const priya = await signedIn(service, 'priya');
    const userEmail = `${'z'.repeat(5000)} grace created the token`;
    await priya.post('/admin/tokens', {
      form: 'long',
      description: 'x',
      permission: 'USER',
      userEmail,
      scopes: 'SEARCH',
    });
    const { events } = await service.context.store.auditTrail.read(await personNamed(service, 'priya'), 1);
    expect(events.find(({ action }) => action === 'token refused')?.detail?.length).toBeLessThan(500);
  });
});
