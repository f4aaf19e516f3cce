import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type RunningService, startService } from '../start.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';
import { postForm, register, submit, toPage } from '../testing/attacker.ts';
import { at, client, demoService, demoServiceForTest, password, personNamed, signedIn } from '../testing/client.ts';
import { browse, redirectUri, type StockClient, stockClient } from '../testing/stock-client.ts';

let service: RunningService;
let app: StockClient;
const priya = { email: at('priya'), password };
const searchPath = '/rest/api/v1/search';
const many = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

beforeAll(async () => {
  service = await demoService();
  app = await stockClient(service.apiUrl);
});
afterAll(() => service?.close());

const refreshWith = (refresh_token: string) =>
  postForm(service, '/token', { grant_type: 'refresh_token', refresh_token, client_id: app.client.client_id });
/** Whether this access or refresh token still opens anything. */
const opens = async (accessToken: string, refreshToken: string) => ({
  access: await app.post(searchPath, { accessToken, refreshToken, scope: '' }, { query: 'a' }).then(
    () => true,
    () => false,
  ),
  refresh: (await refreshWith(refreshToken)).status === 200,
});

describe('parallel use (RFC 9700 4.5, 4.14, ASVS 11.1.6)', () => {
  test('of one authorization code gives one token at most', async () => {
    const begun = await app.begin('SEARCH');
    const code = (await browse(begun.url, priya)).searchParams.get('code') ?? '';
    const fields = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: app.client.client_id,
    };
    const answers = await many(20, () => postForm(service, '/token', { ...fields, code_verifier: begun.verifier }));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test('of one refresh token gives one token at most', async () => {
    const { refreshToken } = await app.signIn(priya, 'SEARCH');
    const answers = await many(20, () => refreshWith(refreshToken));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    // A later use of the old one ends the new one.
    await refreshWith(refreshToken);
    const won = answers.find(({ status }) => status === 200)?.json ?? {};
    expect(await opens(String(won['access_token']), String(won['refresh_token']))).toEqual({
      access: false,
      refresh: false,
    });
  });

  test('of a refresh token and its revocation leaves nothing that works (RFC 7009 2.1)', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { accessToken, refreshToken } = await app.signIn(priya, 'SEARCH');
      const [answer] = await Promise.all([refreshWith(refreshToken), app.revoke(refreshToken).catch(() => undefined)]);
      const { access_token: access = accessToken, refresh_token: refresh = refreshToken } = answer.json;
      expect(await opens(String(access), String(refresh))).toEqual({ access: false, refresh: false });
    }
  });

  test('of a refresh token, while the person ends the access, leaves nothing that works', async () => {
    const browser = await signedIn(service, 'priya');
    for (let round = 0; round < 2; round += 1) {
      const { accessToken, refreshToken } = await app.signIn(priya, 'SEARCH');
      const [answer] = await Promise.all([
        refreshWith(refreshToken),
        browser.post(`/admin/applications/${app.client.client_id}/revoke`, {}),
      ]);
      const { access_token: access = accessToken, refresh_token: refresh = refreshToken } = answer.json;
      expect(await opens(String(access), String(refresh))).toEqual({ access: false, refresh: false });
    }
  });

  test('of a refresh token, while a Super Admin removes the client, leaves nothing that works', async () => {
    const own = await demoServiceForTest();
    const removed = await stockClient(own.apiUrl);
    const tokens = await removed.signIn(priya, 'SEARCH');
    const grace = await signedIn(own, 'grace');
    const [next] = await Promise.all([
      removed.refresh(tokens).catch(() => tokens),
      grace.post(`/admin/applications/${removed.client.client_id}/remove`, {}),
    ]);
    await expect(removed.post(searchPath, next, { query: 'a' })).rejects.toMatchObject({ status: 401 });
    await expect(removed.refresh(next)).rejects.toMatchObject({ error: 'invalid_client' });
  });

  test('of the answer to a sign-in begins one session at most', async () => {
    const browser = client(service);
    const answer = await submit(browser, await browser.get('/admin'), priya);
    const back = answer.headers.get('location') ?? '';
    const answers = await many(8, () => browser.once(back));
    expect(answers.filter(({ status }) => status === 303).length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test('of a sign-in page and of a consent page never fails, and gives one code at most', async () => {
    const browser = client({ apiUrl: service.authorizationServerUrl });
    const page = await toPage(browser, (await app.begin('SEARCH')).url.href);
    const form = (fields: Record<string, string>, url: string) =>
      browser.once(url, { method: 'POST', body: new URLSearchParams(fields) });
    const first = await many(5, () => form(priya, page.url.href));
    expect(first.map(({ status }) => status)).toEqual(Array(5).fill(303));
    const consent = await toPage(browser, String(new URL(first[0]?.headers.get('location') ?? '', page.url)));
    const decided = await many(5, () => form({ decision: 'allow' }, consent.url.href));
    const resumed = await many(5, (index) =>
      browser.once(String(new URL(decided[index]?.headers.get('location') ?? '/', page.url))),
    );
    expect([...decided, ...resumed].filter(({ status }) => status >= 500)).toEqual([]);
    const codes = resumed.flatMap(({ headers }) => /[?&]code=([^&]+)/.exec(headers.get('location') ?? '')?.[1] ?? []);
    expect(codes.length).toBeLessThanOrEqual(1);
  });

  test('of the right to register passes no limit', async () => {
    const own = await demoServiceForTest();
    const answers = await many(70, () => register(own, {}));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(60);
  });
});

describe('two people at the same time (ASVS 11.1.6)', () => {
  test('two Super Admins who remove each other leave one', async () => {
    const own = await demoServiceForTest();
    const { people } = own.context.store;
    const rival = await people.add({ email: at('rival'), name: 'Rival', role: 'super-admin', password });
    const grace = await personNamed(own, 'grace');
    const [one, other] = [await signedIn(own, 'grace'), await signedIn(own, 'rival')];
    await Promise.all([
      one.post(`/admin/people/${rival.id}/remove`, {}),
      other.post(`/admin/people/${grace.id}/remove`, {}),
    ]);
    const left = (await people.all()).filter(({ role }) => role === 'super-admin');
    expect(left).toHaveLength(1);
  });

  test('a token is revoked once, and by one of them', async () => {
    const grace = await signedIn(service, 'grace');
    const mei = await signedIn(service, 'mei');
    const fields = { form: 'race', description: 'race', permission: 'USER', userEmail: at('mei'), scopes: 'SEARCH' };
    const { url } = await grace.post('/admin/tokens', fields);
    await mei.get('/admin');
    await many(6, (index) => (index % 2 ? grace : mei).post(`${url.pathname}/revoke`, {}));
    const { events } = await service.context.store.auditTrail.read(
      await personNamed(service, 'grace'),
      1,
      url.pathname.split('/').at(-1),
    );
    expect(events.filter(({ action }) => action === 'token revoked')).toHaveLength(1);
  });

  test('a token for a person who is being removed works for nobody', async () => {
    const own = await demoServiceForTest();
    const grace = await signedIn(own, 'grace');
    const mei = await personNamed(own, 'mei');
    const fields = { description: 'late', permission: 'USER', userEmail: mei.email, scopes: 'SEARCH' };
    await Promise.all([
      ...Array.from({ length: 5 }, (_, index) => grace.post('/admin/tokens', { ...fields, form: `late ${index}` })),
      grace.post(`/admin/people/${mei.id}/remove`, {}),
    ]);
    const { tokens } = await own.context.store.tokenList.read(await personNamed(own, 'grace'), {
      words: 'late',
      page: 1,
    });
    expect(tokens.filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
  });
});

test('a password that is replaced while it is being checked signs nobody in (ASVS 2.1, 3.3.3)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'race-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const database = `file:${join(folder, 'service.db')}`;
  // Checking the old password takes long, setting the new one does not.
  const before = await startService({ database, passwordCost: { ln: 15, r: 8, p: 2 } });
  await before.context.store.people.add({ ...priya, name: 'Priya', role: 'user' });
  await before.close();
  const own = await startService({ database, passwordCost: cheapPasswordCost });
  onTestFinished(own.close);
  const slow = await stockClient(own.apiUrl);
  const browser = client({ apiUrl: own.authorizationServerUrl });
  const page = await toPage(browser, (await slow.begin('SEARCH')).url.href);
  const signingIn = submit(browser, page, priya);
  // The check has begun when the throttle has counted the attempt.
  await new Promise((begun) => setTimeout(begun, 30));
  await own.context.store.people.setPassword(priya.email, 'another password');
  const answer = await signingIn;
  expect(answer.text).toContain('name="password"');
  expect((await toPage(browser, (await slow.begin('SEARCH')).url.href)).text).toContain('name="password"');
});
