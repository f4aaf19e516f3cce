import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { at, client as browserOf, demoServiceForTest, password } from '../testing/client.ts';
import { redirectUri, stockClient } from '../testing/stock-client.ts';

const priya = { email: at('priya'), password };
const searchPath = '/rest/api/v1/search';

/** The first answer of the authorization endpoint: the error in the redirect to the client, or undefined. */
async function errorOf(url: URL): Promise<string | null | undefined> {
  const { headers, body } = await request(url);
  await body.dump();
  const location = String(headers.location ?? '');
  return location.startsWith(redirectUri) ? new URL(location).searchParams.get('error') : undefined;
}

describe('an authorization request (RFC 6749 3.3)', () => {
  test('without a scope gets the scopes that the client registered', async () => {
    const { apiUrl } = await demoServiceForTest();
    const client = await stockClient(apiUrl, { scope: 'SEARCH MCP' });
    const begun = await client.begin('', { scope: undefined });
    const browser = browserOf({ apiUrl: begun.url.origin });
    const form = await browser.get(begun.url.href);
    const consent = await browser.post(form.url.href, { ...priya });
    for (const scope of ['SEARCH', 'MCP']) expect(consent.text).toContain(`<b>${scope}</b>`);
    expect(consent.text).not.toContain('<b>CHAT</b>');
  });

  test.each([
    ['no', undefined],
    ['an empty', ''],
  ])('with %s scope, from a client that registered none, gets the scopes of the operations', async (_what, scope) => {
    const { apiUrl } = await demoServiceForTest();
    const client = await stockClient(apiUrl);
    const tokens = await client.signIn(priya, '', { scope });
    expect(tokens.scope).toBe('SEARCH CHAT');
    expect(await client.post(searchPath, tokens, { query: 'travel' })).toHaveProperty('results');
  });

  test.each<[string, string | undefined]>([
    ['FOO', undefined],
    ['read:everything', undefined],
    ['search', undefined],
    ['offline_access', 'consent'],
  ])('with the scope %s alone is refused', async (scope, prompt) => {
    const { apiUrl } = await demoServiceForTest();
    const client = await stockClient(apiUrl);
    expect(await errorOf((await client.begin(scope, { prompt })).url)).toBe('invalid_scope');
  });

  test('with an unknown scope among others gets the others', async () => {
    const { apiUrl } = await demoServiceForTest();
    const client = await stockClient(apiUrl);
    expect((await client.signIn(priya, 'SEARCH read:everything')).scope).toBe('SEARCH');
  });

  test('for a scope that the client did not register is refused, and so is a later request for it', async () => {
    const { apiUrl } = await demoServiceForTest();
    const client = await stockClient(apiUrl, { scope: 'SEARCH' });
    expect(await errorOf((await client.begin('SEARCH CHAT')).url)).toBe('invalid_scope');
    const tokens = await client.signIn(priya, 'SEARCH');
    expect(tokens.scope).toBe('SEARCH');
    await expect(client.post('/rest/api/v1/chat', tokens, { query: 'travel' })).rejects.toMatchObject({ status: 403 });
  });
});

test('a client that asks only who the person is gets a page that says so', async () => {
  const { apiUrl } = await demoServiceForTest();
  const client = await stockClient(apiUrl);
  const begun = await client.begin('openid');
  const browser = browserOf({ apiUrl: begun.url.origin });
  const form = await browser.get(begun.url.href);
  const consent = await browser.post(form.url.href, { ...priya });
  expect(consent.text).toContain('wants to know who you are');
});

test('the page that sends the code by a form runs its own script only (form_post)', async () => {
  const { apiUrl } = await demoServiceForTest();
  const client = await stockClient(apiUrl);
  const begun = await client.begin('SEARCH', { response_mode: 'form_post' });
  const browser = browserOf({ apiUrl: begun.url.origin });
  const form = await browser.get(begun.url.href);
  const consent = await browser.post(form.url.href, { ...priya });
  const sent = await browser.post(consent.url.href, { decision: 'allow' });
  expect(sent.text).toContain('name="code"');
  expect(sent.headers.get('content-security-policy')).toMatch(
    /^default-src 'none';script-src 'sha256-[\w+/=]+';base-uri 'none';frame-ancestors 'none'$/,
  );
});
