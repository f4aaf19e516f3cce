import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { attackedService, postForm, send, submit, toPage } from '../testing/attacker.ts';
import { at, client, password } from '../testing/client.ts';
import { browse, redirectUri, type StockClient } from '../testing/stock-client.ts';

let service: RunningService;
let victim: StockClient;
let evil: string;
const priya = { email: at('priya'), password };
const searchPath = '/rest/api/v1/search';

beforeAll(async () => {
  ({ service, victim, evil } = await attackedService());
});
afterAll(() => service?.close());

/** A code of Priya for the stock client, and what redeems it. */
async function stolenCode(scope = 'SEARCH') {
  const begun = await victim.begin(scope);
  const back = await browse(begun.url, priya);
  return { code: back.searchParams.get('code') ?? '', back, begun };
}
const redemption = (code: string, changes: Record<string, string> = {}) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: redirectUri,
  client_id: victim.client.client_id,
  ...changes,
});

describe('a stolen authorization code', () => {
  test.each<[string, Record<string, string>]>([
    ['without its verifier', {}],
    ['with an empty verifier', { code_verifier: '' }],
    ['with a verifier that is too short', { code_verifier: 'x' }],
    ['with another verifier', { code_verifier: 'A'.repeat(43) }],
  ])('%s is refused (RFC 9700 4.5, RFC 7636 4.6)', async (_how, fields) => {
    const { code } = await stolenCode();
    const { status, json } = await postForm(service, '/token', redemption(code, fields));
    expect({ status, token: json['access_token'] }).toEqual({ status: 400, token: undefined });
  });

  test('with its challenge in place of its verifier is refused (RFC 7636 7.1)', async () => {
    const { code, begun } = await stolenCode();
    const challenge = createHash('sha256').update(begun.verifier).digest('base64url');
    expect((await postForm(service, '/token', redemption(code, { code_verifier: challenge }))).status).toBe(400);
  });

  test.each<[string, Record<string, string>]>([
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:1/callback' }],
    ['another client', { client_id: 'admin-console' }],
    ['a client that does not exist', { client_id: 'nobody' }],
  ])('with the right verifier and %s is refused (RFC 6749 4.1.3)', async (_what, changes) => {
    const { code, begun } = await stolenCode();
    const fields = redemption(code, { code_verifier: begun.verifier, ...changes });
    expect((await postForm(service, '/token', fields)).status).toBeGreaterThanOrEqual(400);
  });

  test('does not become the token of another client of the attacker (RFC 9700 4.5)', async () => {
    const { code, begun } = await stolenCode();
    const fields = redemption(code, { client_id: evil, code_verifier: begun.verifier });
    expect((await postForm(service, '/token', fields)).json).toMatchObject({ error: 'invalid_grant' });
  });

  test('that was used before ends the access token of the first use at once (RFC 6749 4.1.2)', async () => {
    const { back, begun } = await stolenCode();
    const tokens = await victim.redeem(back, begun);
    await expect(victim.redeem(back, begun)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(victim.post(searchPath, tokens, { query: 'a' })).rejects.toMatchObject({ status: 401 });
  });

  test('is never in an address that a cache may store or a Referer may carry (RFC 9700 4.2, 4.3)', async () => {
    const browser = client({ apiUrl: service.authorizationServerUrl });
    const { url } = await victim.begin('SEARCH');
    const consent = await submit(browser, await toPage(browser, url.href), priya);
    const answer = await submit(browser, consent, { decision: 'allow' });
    expect(answer.headers.get('location')).toContain('code=');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('the answer of the authorization endpoint', () => {
  test.each(['token', 'id_token', 'code token', 'code id_token', 'id_token token', 'none'])(
    'never has a token for the response type %s (RFC 9700 2.1.2, 4.6)',
    async (response_type) => {
      const { url } = await victim.begin('openid SEARCH', { response_type, nonce: 'n' });
      const { headers } = await send(url.href);
      expect(String(headers['location'])).toContain('error=unsupported_response_type');
    },
  );

  test.each(['web_message', 'jwt', 'query.jwt', 'form_post.jwt', 'cookie'])(
    'does not come in the response mode %s (RFC 9700 4.17)',
    async (response_mode) => {
      const { url } = await victim.begin('SEARCH', { response_mode });
      expect(String((await send(url.href)).headers['location'])).toContain('error=');
    },
  );

  test('names its issuer, for success and for errors, so that a client notices a mix-up (RFC 9700 4.4, RFC 9207)', async () => {
    const { back } = await stolenCode();
    expect(back.searchParams.get('iss')).toBe(service.authorizationServerUrl);
    const { url } = await victim.begin('bogus');
    const location = new URL(String((await send(url.href)).headers['location']));
    expect(location.searchParams.get('iss')).toBe(service.authorizationServerUrl);
    expect(location.searchParams.get('error')).toBe('invalid_scope');
  });

  test('after a password is 303, so that the browser does not send the password on (RFC 9700 4.12)', async () => {
    const browser = client({ apiUrl: service.authorizationServerUrl });
    const page = await toPage(browser, (await victim.begin('SEARCH')).url.href);
    const answer = await browser.once(page.url.href, { method: 'POST', body: new URLSearchParams(priya) });
    expect(answer.status).toBe(303);
  });

  test.each(['request', 'request_uri', 'registration'])(
    'is an error when the parameter %s brings a request of its own (RFC 9101 10.4)',
    async (name) => {
      const { url } = await victim.begin('SEARCH', { [name]: 'https://evil.example/request.jwt' });
      expect(String((await send(url.href)).headers['location'])).toContain('error=');
    },
  );

  test.each(['client_id', 'redirect_uri', 'scope', 'state', 'code_challenge', 'response_type'])(
    'is an error when %s is there twice (RFC 6749 3.1)',
    async (name) => {
      const { url } = await victim.begin('SEARCH');
      url.searchParams.append(name, 'https://evil.example/');
      const { status, headers } = await send(url.href);
      const location = String(headers['location'] ?? '');
      expect(status === 400 || location.includes('error=invalid_request')).toBe(true);
      expect(location).not.toMatch(/^https:\/\/evil|interaction/);
    },
  );
});

describe('a native client (RFC 8252)', () => {
  test('does not get a code silently, although the person consented before (RFC 8252 8.6)', async () => {
    const browser = client({ apiUrl: service.authorizationServerUrl });
    const consent = await submit(browser, await toPage(browser, (await victim.begin('SEARCH')).url.href), priya);
    await submit(browser, consent, { decision: 'allow' });
    const { headers } = await browser.once((await victim.begin('SEARCH', { prompt: 'none' })).url.href);
    expect(headers.get('location')).toMatch(/error=(interaction|consent)_required/);
  });

  test('that imitates one with a consent gets a page that lists all it asks for (RFC 8252 8.6, RFC 6819 5.2.4)', async () => {
    const browser = client({ apiUrl: service.authorizationServerUrl });
    const first = await submit(browser, await toPage(browser, (await victim.begin('SEARCH CHAT')).url.href), priya);
    expect(first.text).toMatch(/<b>SEARCH<\/b>[\s\S]*<b>CHAT<\/b>/);
    await submit(browser, first, { decision: 'allow' });
    for (const scope of ['SEARCH CHAT', 'SEARCH CHAT MCP']) {
      const again = await toPage(browser, (await victim.begin(scope)).url.href);
      expect(again.text).toContain('wants to act for you');
      for (const name of scope.split(' ')) expect(again.text).toContain(`<b>${name}</b>`);
    }
  });

  test.each([
    'http://localhost:53682/callback',
    'http://127.0.0.1:53682/callback/',
    'https://127.0.0.1:53682/callback',
  ])('gets no code at %s, which only looks like its own address (RFC 8252 7.3)', async (redirect_uri) => {
    const { url } = await victim.begin('SEARCH', { redirect_uri });
    expect(await send(url.href)).toMatchObject({ status: 400 });
  });
});

describe('more access than the person gave', () => {
  test.each(['SEARCH CHAT', 'MCP', 'openid SEARCH', 'offline_access'])(
    'is not in a refreshed token that asks for %s (RFC 6749 6)',
    async (scope) => {
      const { refreshToken } = await victim.signIn(priya, 'SEARCH');
      const fields = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: victim.client.client_id };
      const { json } = await postForm(service, '/token', { ...fields, scope });
      expect({ error: json['error'], token: json['access_token'] }).toEqual({
        error: 'invalid_scope',
        token: undefined,
      });
    },
  );

  test('is not in a token for a resource without a consent (RFC 8707 2.2)', async () => {
    const { code, begun } = await stolenCode();
    const fields = redemption(code, { code_verifier: begun.verifier, resource: service.audiences.mcp });
    expect((await postForm(service, '/token', fields)).json).toMatchObject({ error: 'invalid_target' });
  });

  test.each(['password', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code', 'implicit', ''])(
    'does not come from the grant type %s (RFC 9700 2.4)',
    async (grant_type) => {
      const fields = { client_id: victim.client.client_id, username: priya.email, password, scope: 'SEARCH' };
      const { status, json } = await postForm(service, '/token', { ...fields, grant_type });
      expect({ status, token: json['access_token'] }).toEqual({ status: 400, token: undefined });
    },
  );
});
