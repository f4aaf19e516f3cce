import type { Adapter } from 'oidc-provider';
import { expect, test } from 'vitest';
import { submit, toPage } from '../testing/attacker.ts';
import { at, type Client, client, demoServiceForTest, password } from '../testing/client.ts';
import { stockClient } from '../testing/stock-client.ts';
import { unstoredUntilPassword } from './interaction-cookie.ts';

const priya = { email: at('priya'), password };

async function signInPage(changes: Record<string, string> = {}) {
  const service = await demoServiceForTest();
  const { store } = service.context;
  const before = await store.authorization.count();
  const app = await stockClient(service.apiUrl);
  const begun = await app.begin('SEARCH', changes);
  const browser = client({ apiUrl: service.authorizationServerUrl });
  const page = await toPage(browser, begun.url.href);
  return { app, begun, browser, page, stored: (await store.authorization.count()) - before };
}

const cookieOf = ({ cookies }: Client) =>
  JSON.parse(Buffer.from(cookies.get('_interaction')?.slice('kept.'.length) ?? '', 'base64url').toString());

test('a sign-in that nobody has given a password for is stored in its browser only', async () => {
  const { browser, page, stored } = await signInPage();
  // The client.
  expect(stored).toBe(1);
  expect(cookieOf(browser).params.scope).toBe('SEARCH');
  expect((await submit(browser, page, priya)).text).toContain('name="decision"');
});

test('one that is too large for a cookie is stored, and ends as well', async () => {
  const { app, begun, browser, page, stored } = await signInPage({ state: 'x'.repeat(4000) });
  expect(stored).toBe(2);
  const consent = await submit(browser, page, priya);
  const back = await submit(browser, consent, { decision: 'allow' });
  expect(
    await app.redeem(new URL(back.headers.get('location') ?? ''), { ...begun, state: 'x'.repeat(4000) }),
  ).toBeDefined();
});

test.each<[string, (kept: { exp: number; params: { redirect_uri: string } }) => object]>([
  ['changed', (kept) => ({ ...kept, params: { ...kept.params, redirect_uri: 'https://evil.example/' } })],
  ['given more time', (kept) => ({ ...kept, exp: kept.exp + 60 })],
  ['given a person', (kept) => ({ ...kept, result: { login: { accountId: 'x' } } })],
])('one that was %s in its browser is refused', async (_what, change) => {
  const { browser, page } = await signInPage();
  const changed = `kept.${Buffer.from(JSON.stringify(change(cookieOf(browser)))).toString('base64url')}`;
  browser.cookies.set('_interaction', changed);
  expect((await submit(browser, page, priya)).status).toBe(400);
});

test('a stored one is found, though its random name may be what a kept one begins with', async () => {
  const named = { jti: 'eyJSxGXoTaHTChIxmQVF' };
  const stored = { find: async (id: string) => (id === named.jti ? named : undefined) } as Adapter;
  const adapter = unstoredUntilPassword(() => stored)('Interaction');
  expect(await adapter?.find(named.jti)).toBe(named);
});
