import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { authorizationRequest, register, send, submit, toPage } from '../testing/attacker.ts';
import { at, client, demoService, password } from '../testing/client.ts';
import { type StockClient, stockClient } from '../testing/stock-client.ts';

let service: RunningService;
let victim: StockClient;
let evil: string;
const evilUri = 'https://evil.example/phish';
const priya = { email: at('priya'), password };

beforeAll(async () => {
  service = await demoService();
  victim = await stockClient(service.apiUrl);
  evil = String((await register(service, { redirect_uris: [evilUri] })).json['client_id']);
});
afterAll(() => service?.close());

describe('the authorization server as an open redirector (RFC 9700 4.11.2)', () => {
  const mistakes: [string, Record<string, string | undefined>][] = [
    ['an unknown scope', { scope: 'bogus' }],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['prompt=none', { prompt: 'none' }],
    ['a request object', { request: 'x' }],
    ['an unknown response type', { response_type: 'token' }],
    ['an unknown response mode', { response_mode: 'web_message' }],
    ['an unknown resource', { resource: 'https://elsewhere.example/' }],
    ['an unknown scope and form_post', { scope: 'bogus', response_mode: 'form_post' }],
    ['an unknown scope and a fragment', { scope: 'bogus', response_mode: 'fragment' }],
  ];
  test.each(mistakes)('does not send a stranger to the site of an attacker for %s', async (_what, changes) => {
    const { url } = authorizationRequest(service, { client_id: evil, redirect_uri: evilUri, ...changes });
    const { status, headers, text } = await send(url.href, { headers: { accept: 'text/html' } });
    expect(headers['location']).toBeUndefined();
    expect(status).toBe(400);
    expect(text).not.toMatch(/<form|<script/);
    // The person reads where the link leads before they follow it.
    expect(text).toContain('evil.example');
  });

  test('does not name the site of an attacker on a page about an honest client', async () => {
    const { json } = await register(service, { redirect_uris: ['https://good.example/cb'] });
    const asked = { client_id: String(json['client_id']), redirect_uri: evilUri, scope: 'bogus' };
    const { status, text } = await send(authorizationRequest(service, asked).url.href, {
      headers: { accept: 'text/html' },
    });
    expect({ status, named: text.includes('evil.example') }).toEqual({ status: 400, named: false });
  });

  test('does not do it for a person who is signed in and never consented', async () => {
    const browser = client({ apiUrl: service.authorizationServerUrl });
    await submit(browser, await toPage(browser, (await victim.begin('SEARCH')).url.href), priya);
    const { url } = authorizationRequest(service, { client_id: evil, redirect_uri: evilUri, prompt: 'none' });
    expect((await browser.once(url.href)).headers.get('location')).toBeNull();
  });

  test('goes back to the site after the person denied, whose address the page showed', async () => {
    const browser = client({ apiUrl: service.authorizationServerUrl });
    const { url } = authorizationRequest(service, { client_id: evil, redirect_uri: evilUri });
    const consent = await submit(browser, await toPage(browser, url.href), priya);
    expect(consent.text).toContain('evil.example');
    const denied = await submit(browser, consent, { decision: 'deny' });
    expect(denied.headers.get('location')).toContain(`${evilUri}?error=access_denied`);
  });

  test('goes back to a site that the person consented to before', async () => {
    const browser = client({ apiUrl: service.authorizationServerUrl });
    const site = 'https://good.example/cb';
    const { json } = await register(service, { redirect_uris: [site] });
    const asked = { client_id: String(json['client_id']), redirect_uri: site };
    const consent = await submit(browser, await toPage(browser, authorizationRequest(service, asked).url.href), priya);
    await submit(browser, consent, { decision: 'allow' });
    const { url } = authorizationRequest(service, { ...asked, prompt: 'none', scope: 'CHAT' });
    expect((await browser.once(url.href)).headers.get('location')).toContain(`${site}?error=`);
  });
});
