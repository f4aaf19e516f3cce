import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { at, demoServiceForTest, password, personNamed, signedIn } from '../testing/client.ts';
import { stockClient } from '../testing/stock-client.ts';

const withoutBoth = (query: URLSearchParams) => {
  query.delete('prompt');
  query.delete('max_age');
};
const priya = { email: at('priya'), password };
const searchPath = '/rest/api/v1/search';
const refused = { error: 'invalid_grant' };

/** A client that acts for Priya, and her session at the console. */
async function priyaAtWork() {
  const service = await demoServiceForTest();
  const client = await stockClient(service.apiUrl);
  const tokens = await client.signIn(priya, 'SEARCH');
  const search = () => client.post(searchPath, tokens, { query: 'travel' });
  expect(await search()).toHaveProperty('results');
  const browser = await signedIn(service, 'priya');
  return { service, client, tokens, search, browser };
}

/** The authorization request of the console, as a person at the browser could change it. */
async function changedRequest(browser: Awaited<ReturnType<typeof signedIn>>, change: (query: URLSearchParams) => void) {
  const { headers } = await browser.once('/admin/sign-in');
  const request = new URL(headers.get('location') ?? '');
  change(request.searchParams);
  return request.href;
}

const events = async ({ context: { store } }: RunningService) => {
  const grace = await store.people.find(at('grace'));
  if (!grace) throw new Error('There is no Grace.');
  return (await store.auditTrail.read(grace, 1)).events.map(({ action }) => action);
};

describe('signing out of the console', () => {
  test.each<[string, (query: URLSearchParams) => void]>([
    ['without prompt', (query) => query.delete('prompt')],
    ['without prompt and max_age', withoutBoth],
    ['with prompt=consent', (query) => query.set('prompt', 'consent')],
    [
      'with a long max_age',
      (query) => {
        query.delete('prompt');
        query.set('max_age', '86400');
      },
    ],
    ['with prompt=none', (query) => query.set('prompt', 'none')],
  ])('asks for the password again, also for a request %s', async (_how, change) => {
    const service = await demoServiceForTest();
    const browser = await signedIn(service, 'priya');
    await browser.post('/admin/sign-out', {});
    const page = await browser.get(await changedRequest(browser, change));
    expect(browser.cookies.has('console')).toBe(false);
    expect(page.text).not.toContain('Priya Nair');
  });

  test.each<[string, (query: URLSearchParams) => void]>([
    ['the session of the authorization server', () => undefined],
    ['a session that outlives the eight hours of the console', withoutBoth],
  ])('is not undone by %s', async (_what, change) => {
    const service = await demoServiceForTest();
    const browser = await signedIn(service, 'priya');
    browser.cookies.delete('console');
    const page = await browser.get(await changedRequest(browser, change));
    expect(page.text).toContain('name="password"');
    expect(browser.cookies.has('console')).toBe(false);
  });

  test('ends the session of the authorization server for other clients too', async () => {
    const { service, client, browser } = await priyaAtWork();
    const { url } = await client.begin('SEARCH');
    // Before, the person is known there and is asked for consent only.
    expect((await browser.get(url.href)).text).toContain('name="decision"');
    await browser.get('/admin');
    await browser.post('/admin/sign-out', {});
    expect((await browser.get(url.href)).text).toContain('name="password"');
    expect(await events(service)).toContain('signed out');
  });

  test('does not end what applications of the person may do, nor their other browsers', async () => {
    const { service, client, tokens, search, browser } = await priyaAtWork();
    const other = await signedIn(service, 'priya');
    await browser.post('/admin/sign-out', {});
    expect(await search()).toHaveProperty('results');
    expect(await client.refresh(tokens)).toHaveProperty('accessToken');
    expect((await other.once('/admin')).status).toBe(200);
  });
});

describe('a new password', () => {
  test('ends sessions, grants, refresh tokens and access tokens of the person, and of nobody else', async () => {
    const { service, client, tokens, search, browser } = await priyaAtWork();
    const mei = await signedIn(service, 'mei');
    const form = await browser.get((await client.begin('SEARCH')).url.href);
    await service.context.store.people.setPassword(at('priya'), 'another horse');
    expect((await browser.once('/admin')).status).toBe(303);
    await expect(client.refresh(tokens)).rejects.toMatchObject(refused);
    await expect(search()).rejects.toMatchObject({ status: 401 });
    // A consent page that was open before gives nothing.
    expect(
      (await browser.once(form.url.href, { method: 'POST', body: new URLSearchParams({ decision: 'allow' }) })).status,
    ).toBe(400);
    expect((await mei.once('/admin')).status).toBe(200);
    expect(await events(service)).toContain('password changed');
  });

  test('ends a sign-in with the old password that has not gone on yet', async () => {
    const service = await demoServiceForTest();
    const client = await stockClient(service.apiUrl);
    const browser = await signedIn(service, 'mei');
    browser.cookies.clear();
    const form = await browser.get((await client.begin('SEARCH')).url.href);
    const checked = await browser.once(form.url.href, { method: 'POST', body: new URLSearchParams({ ...priya }) });
    expect(checked.status).toBe(303);
    await service.context.store.people.setPassword(at('priya'), 'another horse');
    const next = await browser.get(checked.headers.get('location') ?? '');
    expect(next).toMatchObject({ status: 400 });
    expect(next.text).not.toContain('name="decision"');
  });
});

describe('a removed person', () => {
  test('loses sessions, grants and tokens at once, and cannot sign in', async () => {
    const { service, client, tokens, search, browser } = await priyaAtWork();
    const { store } = service.context;
    const grace = await personNamed(service, 'grace');
    const issued = await store.serviceTokens.issue(grace, {
      description: 'x',
      permission: 'USER',
      scopes: ['SEARCH'],
      userEmail: at('priya'),
    });
    if (!issued.ok) throw new Error('not issued');
    expect(await store.people.remove(grace, (await personNamed(service, 'priya')).id)).toBe('removed');
    expect((await browser.once('/admin')).status).toBe(303);
    await expect(client.refresh(tokens)).rejects.toMatchObject(refused);
    await expect(search()).rejects.toMatchObject({ status: 401 });
    expect(await store.serviceTokens.find(issued.secret)).toBeUndefined();
    expect(await store.people.signIn(at('priya'), password)).toEqual({ kind: 'wrong' });
    expect(await store.people.find(at('priya'))).toBeUndefined();
    expect((await store.people.all()).map(({ email }) => email)).not.toContain(at('priya'));
    expect(await events(service)).toContain('person removed');
  });
});

describe('a client that was revoked', () => {
  test('by one person acts for that person no longer', async () => {
    const { service, client, tokens, search } = await priyaAtWork();
    const { consents } = service.context.store;
    const meis = await client.signIn({ email: at('mei'), password }, 'SEARCH');
    expect(await consents.revoke(await personNamed(service, 'priya'), client.client.client_id)).toBe(true);
    await expect(search()).rejects.toMatchObject({ status: 401 });
    await expect(client.refresh(tokens)).rejects.toMatchObject(refused);
    expect(await client.post(searchPath, meis, { query: 'travel' })).toHaveProperty('results');
    expect(await events(service)).toContain('grant revoked');
  });

  test('by a Super Admin acts for nobody and is unknown', async () => {
    const { service, client, tokens, search } = await priyaAtWork();
    const { consents } = service.context.store;
    const grace = await personNamed(service, 'grace');
    expect(await consents.revokeClient(grace, client.client.client_id)).toBe(true);
    await expect(search()).rejects.toMatchObject({ status: 401 });
    await expect(client.refresh(tokens)).rejects.toMatchObject({ error: 'invalid_client' });
    expect(await events(service)).toContain('client revoked');
  });
});

describe('an access token', () => {
  test('lives ten minutes', async () => {
    const { tokens } = await priyaAtWork();
    const { exp, iat } = JSON.parse(Buffer.from(tokens.accessToken.split('.')[1] ?? '', 'base64url').toString());
    expect(exp - iat).toBe(600);
  });

  test('is refused at once after its client revokes the refresh token', async () => {
    const { service, client, tokens, search } = await priyaAtWork();
    await client.revoke(tokens.refreshToken);
    await expect(search()).rejects.toMatchObject({ status: 401 });
    expect(await events(service)).toContain('grant revoked');
  });

  test('is refused at once after somebody used an old refresh token', async () => {
    const { client, tokens } = await priyaAtWork();
    const renewed = await client.refresh(tokens);
    await expect(client.refresh(tokens)).rejects.toMatchObject(refused);
    await expect(client.post(searchPath, renewed, { query: 'travel' })).rejects.toMatchObject({ status: 401 });
  });
});

test('a sign-in and a consent for an application are in the audit trail', async () => {
  const { service } = await priyaAtWork();
  onTestFinished(() => undefined);
  expect((await events(service)).sort()).toEqual(
    expect.arrayContaining(['client registered', 'grant created', 'signed in']),
  );
});
