import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { at, type Client, client, demoService, personNamed, signedIn } from '../testing/client.ts';

let service: RunningService;
beforeAll(async () => {
  service = await demoService();
});
afterAll(() => service?.close());

const wanted = { description: 'Intranet', permission: 'USER', userEmail: at('mei'), scopes: 'SEARCH', expires: '' };
const secretIn = (text: string) => /svc_[\w-]{43}/.exec(text)?.[0];
/** A filled-in form with an id of its own. */
const filledIn = (more: Record<string, string> = {}) => ({ ...wanted, form: randomUUID(), ...more });
const tokensOf = async (name: string) =>
  (await service.context.store.tokenList.read(await personNamed(service, name), { words: '', page: 1 })).total;

describe('a form', () => {
  let grace: Client;
  beforeAll(async () => {
    grace = await signedIn(service, 'grace');
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['without a CSRF token', { csrf: '' }, {}],
    ['with a wrong CSRF token', { csrf: 'A'.repeat(43) }, {}],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['from another port', {}, { 'sec-fetch-site': 'same-site' }],
  ])('%s changes nothing', async (_name, fields, headers) => {
    const before = await tokensOf('grace');
    const { status, text } = await grace.post('/admin/tokens', filledIn(fields), headers);
    expect(status).toBe(403);
    expect(text).toContain('Nothing was changed');
    expect(await tokensOf('grace')).toBe(before);
  });

  test('with the CSRF token of another session changes nothing', async () => {
    const mei = await signedIn(service, 'mei');
    const csrf = /name="csrf" value="([^"]+)"/.exec(mei.page.text)?.[1] ?? '';
    expect((await grace.post('/admin/tokens', filledIn({ csrf }))).status).toBe(403);
  });

  test('after the end of the session changes nothing, and the page says so', async () => {
    const { status, text } = await client(service).post('/admin/tokens', filledIn());
    expect(status).toBe(403);
    expect(text).toContain('no longer signed in');
  });

  test.each([
    ['in JSON', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }, 415],
    ['of a megabyte', { method: 'POST', body: new URLSearchParams({ description: 'x'.repeat(1 << 20) }) }, 413],
  ])('%s is not read', async (_name, init, status) => {
    expect((await grace.once('/admin/tokens', init)).status).toBe(status);
  });
});

describe('a new token', () => {
  let grace: Client;
  beforeAll(async () => {
    grace = await signedIn(service, 'grace');
  });

  test('shows its secret once, to its creator', async () => {
    const answer = await grace.once('/admin/tokens', {
      method: 'POST',
      body: new URLSearchParams({ ...filledIn(), csrf: await csrfOf(grace) }),
    });
    const path = answer.headers.get('location') ?? '';
    expect(answer.status).toBe(303);
    expect(secretIn(answer.text + JSON.stringify([...answer.headers]))).toBeUndefined();
    // Neither another session of the same person nor a HEAD request takes the secret.
    const other = await signedIn(service, 'grace', path);
    expect(secretIn(other.page.text)).toBeUndefined();
    expect((await grace.once(path, { method: 'HEAD' })).status).toBe(404);
    const shown = await grace.get(path);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const secret = secretIn(shown.text) ?? '';
    expect(await service.context.store.serviceTokens.find(secret)).toMatchObject({ userEmail: at('mei') });
    for (const again of [path, `${path}/revoke`, '/admin', '/admin/audit']) {
      const { text, status } = await grace.get(again);
      expect(status).toBe(200);
      expect(text).not.toContain(secret.slice(4));
    }
  });

  test('is created once by a form that is submitted twice', async () => {
    const before = await tokensOf('grace');
    const fields = filledIn({ description: 'Twice' });
    await grace.get('/admin');
    const answers = await Promise.all([grace.post('/admin/tokens', fields), grace.post('/admin/tokens', fields)]);
    expect(new Set(answers.map(({ url }) => url.pathname)).size).toBe(1);
    expect(answers.filter(({ text }) => secretIn(text) !== undefined)).toHaveLength(1);
    expect(await tokensOf('grace')).toBe(before + 1);
  });

  test('is not created by an invalid form, which is shown again with all problems', async () => {
    const { status, text } = await grace.post('/admin/tokens', {
      form: 'wrong',
      description: '',
      permission: 'USER',
      userEmail: '"><b>nobody',
      expires: '2020-01-01',
    });
    expect(status).toBe(422);
    for (const reason of [
      'Say what the token is for',
      'Choose at least one scope',
      'Choose a date in the future',
      'There is no person with the email',
    ])
      expect(text).toContain(reason);
    expect(text).not.toContain('<b>nobody');
    expect(text).toContain('value="2020-01-01"');
  });

  test('is not created by choosing a suggested set without scripts', async () => {
    const before = await tokensOf('grace');
    const { status, text } = await grace.post('/admin/tokens', filledIn({ suggest: 'content-management' }));
    expect(status).toBe(200);
    expect([...text.matchAll(/value="(\w+)" checked>/g)].map(([, scope]) => scope)).toEqual(
      expect.arrayContaining(['COLLECTIONS', 'PINS', 'SHORTCUTS']),
    );
    expect(text).toContain('value="Intranet"');
    expect(text).not.toMatch(/value="SEARCH" checked/);
    expect(await tokensOf('grace')).toBe(before);
  });
});

describe('roles', () => {
  test.each(['tomas', 'mei'])('%s creates tokens for themselves and for nobody else', async (name) => {
    const browser = await signedIn(service, name);
    const own = await browser.post('/admin/tokens', filledIn({ userEmail: at(name) }));
    expect(secretIn(own.text)).toBeDefined();
    for (const more of [{ userEmail: at('grace') }, { permission: 'GLOBAL' }]) {
      const { status, text } = await browser.post('/admin/tokens', filledIn(more));
      expect(status).toBe(403);
      expect(text).toMatch(/yourself only|Only a Super Admin/);
    }
  });

  test.each(['tomas', 'mei', 'priya'])('%s does not learn which emails exist', async (name) => {
    const browser = await signedIn(service, name);
    const answers: string[] = [];
    for (const userEmail of [at('grace'), at('nobody')])
      for (const permission of ['USER', 'GLOBAL', 'ROOT']) {
        const { status, text } = await browser.post('/admin/tokens', filledIn({ userEmail, permission }));
        answers.push(
          `${permission} ${status} ${text.replaceAll(userEmail, '').replace(/name="form" value="[^"]+"/, '')}`,
        );
      }
    expect(answers.slice(0, 3)).toEqual(answers.slice(3));
  });

  test('a User gets no form by choosing a suggested set', async () => {
    const priya = await signedIn(service, 'priya');
    expect((await priya.post('/admin/tokens', filledIn({ suggest: 'content-management' }))).status).toBe(403);
  });

  test('a User creates no tokens, but sees and revokes those that run as them', async () => {
    const priya = await signedIn(service, 'priya');
    expect((await priya.get('/admin/tokens/new')).status).toBe(403);
    expect((await priya.post('/admin/tokens', filledIn({ userEmail: at('priya') }))).status).toBe(403);
    const grace = await signedIn(service, 'grace');
    const created = await grace.post('/admin/tokens', filledIn({ userEmail: at('priya'), description: 'For Priya' }));
    expect((await priya.get('/admin')).text).toContain('For Priya');
    const { text } = await priya.post(`${created.url.pathname}/revoke`, {});
    expect(text).toContain('Revoked');
    expect(await service.context.store.serviceTokens.find(secretIn(created.text) ?? '')).toBeUndefined();
  });

  test('a token of other people is not found', async () => {
    const grace = await signedIn(service, 'grace');
    const { url, text } = await grace.post('/admin/tokens', filledIn({ userEmail: at('grace') }));
    const mei = await signedIn(service, 'mei');
    for (const path of [url.pathname, `${url.pathname}/revoke`]) expect((await mei.get(path)).status).toBe(404);
    expect((await mei.post(`${url.pathname}/revoke`, {})).status).toBe(404);
    expect(await service.context.store.serviceTokens.find(secretIn(text) ?? '')).toBeDefined();
    expect((await mei.get('/admin/people')).status).toBe(403);
  });
});

test('every page, stylesheet and refusal has the security headers', async () => {
  const grace = await signedIn(service, 'grace');
  const asset = /href="(\/admin\/assets\/[^"]+\.css)"/.exec(grace.page.text)?.[1] ?? '';
  for (const path of ['/admin', '/admin/', asset, '/admin/nothing', '/admin/signed-out']) {
    const { headers } = await grace.once(path);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'; script-src 'self'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  expect((await grace.once('/admin/nothing')).status).toBe(404);
  // Paths outside /admin belong to the API.
  expect((await grace.once('/nothing')).headers.get('content-type')).toContain('application/problem+json');
});

async function csrfOf(browser: Client): Promise<string> {
  return /name="csrf" value="([^"]+)"/.exec((await browser.get('/admin')).text)?.[1] ?? '';
}
