import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client/sqlite3';
import { decodeJwt, importJWK, SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type RunningService, startService } from '../start.ts';
import { openAuthorizationKeys } from '../store/authorization-keys.ts';
import { openDatabase } from '../store/database/database.ts';
import { demoCompany } from '../store/demo-company.ts';
import { noSeal } from '../store/encryption.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';
import { submit, toPage } from '../testing/attacker.ts';
import { at, client, demoServiceForTest, password, personNamed, signedIn } from '../testing/client.ts';
import { browse, stockClient } from '../testing/stock-client.ts';

const searchPath = '/rest/api/v1/search';
const people = ['grace', 'tomas', 'mei', 'priya'];
const mei = { email: at('mei'), password };

/** A service in a file, so that commands and restarts can work on it. */
async function inFile() {
  const folder = mkdtempSync(join(tmpdir(), 'endings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = `file:${join(folder, 'service.db')}`;
  const start = async (config = {}): Promise<RunningService> => {
    const service = await startService({ database, passwordCost: cheapPasswordCost, ...config });
    onTestFinished(service.close);
    return service;
  };
  const service = await start();
  await service.context.store.seed(demoCompany);
  for (const name of people) await service.context.store.people.setPassword(at(name), password);
  const sql = createClient({ url: database });
  onTestFinished(() => sql.close());
  /** The keys, as the command rotate-keys opens them in another process. */
  const keysElsewhere = async () => {
    const db = await openDatabase(database);
    onTestFinished(() => db.$client.close());
    return openAuthorizationKeys(db, noSeal);
  };
  return { service, start, sql, keysElsewhere };
}

describe('keys that leaked', () => {
  test('make no token, no ID token and no cookie after they were rotated and discarded (ASVS 6.4, 2.8)', async () => {
    const { service, start, keysElsewhere } = await inFile();
    const app = await stockClient(service.apiUrl);
    const tokens = await app.signIn(mei, 'SEARCH');
    const browser = client({ apiUrl: service.authorizationServerUrl });
    await submit(browser, await toPage(browser, (await app.begin('SEARCH')).url.href), mei);
    const keys = await keysElsewhere();
    const [leaked] = await keys.read();
    if (!leaked) throw new Error('There are no keys.');
    const forge = async (changes: object) =>
      new SignJWT({ ...decodeJwt(tokens.accessToken), ...changes })
        .setProtectedHeader({ alg: 'ES256', kid: leaked.id, typ: 'at+jwt' })
        .sign(await importJWK(leaked.signing, 'ES256'));
    const use = async (accessToken: string) =>
      app.post(searchPath, { ...tokens, accessToken }, { query: 'a' }).then(
        () => 200,
        ({ status }) => status,
      );
    // Before: the leak is real.
    expect(await use(await forge({ jti: 'forged' }))).toBe(200);
    // Even then a token needs a grant that exists, and the API looks for it.
    expect(await use(await forge({ grant: 'none' }))).toBe(401);
    await keys.rotate(0, 'by command');
    await keys.discardRetired();
    // A service that starts now, and one that runs, when its cache is old.
    const ports = {
      port: Number(new URL(service.apiUrl).port),
      authorizationServerPort: Number(new URL(service.authorizationServerUrl).port),
    };
    await service.close();
    await start(ports);
    await untilReady(service.apiUrl);
    expect(await use(await forge({ jti: 'forged' }))).toBe(401);
    expect(await use(tokens.accessToken)).toBe(401);
    const page = await toPage(browser, (await app.begin('SEARCH')).url.href);
    expect(page.text).toContain('name="password"');
    // The refresh token is no signature, so the application goes on with new keys.
    expect(await use((await app.refresh(tokens)).accessToken)).toBe(200);
  });

  test('a rotation while people sign in breaks nothing and gives nobody another session', async () => {
    const { service, keysElsewhere } = await inFile();
    const app = await stockClient(service.apiUrl);
    const browser = client({ apiUrl: service.authorizationServerUrl });
    const page = await toPage(browser, (await app.begin('SEARCH')).url.href);
    await (await keysElsewhere()).rotate(0, 'by command');
    const consent = await submit(browser, page, mei);
    expect(consent.text).toContain('Mei');
    expect((await submit(browser, consent, { decision: 'allow' })).headers.get('location')).toContain('code=');
    expect((await signedIn(service, 'priya')).page.text).toContain('Priya');
  });
});

async function untilReady(url: string): Promise<void> {
  for (let count = 0; count < 20; count += 1) {
    if (
      await fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
  }
}

describe('a restart', () => {
  test('ends no revocation, no removal and no used code (ASVS 3.3)', async () => {
    const { service, start } = await inFile();
    const app = await stockClient(service.apiUrl);
    const tokens = await app.signIn(mei, 'SEARCH');
    const begun = await app.begin('SEARCH');
    const back = await browse(begun.url, mei);
    await app.redeem(back, begun);
    const browser = await signedIn(service, 'mei');
    await browser.post('/admin/sign-out', {});
    await app.revoke(tokens.refreshToken);
    const ports = {
      port: Number(new URL(service.apiUrl).port),
      authorizationServerPort: Number(new URL(service.authorizationServerUrl).port),
    };
    await service.close();
    await start(ports);
    await untilReady(service.apiUrl);
    await expect(app.redeem(back, begun)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(app.refresh(tokens)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(app.post(searchPath, tokens, { query: 'a' })).rejects.toMatchObject({ status: 401 });
    expect((await browser.once('/admin')).status).toBe(303);
  });
});

describe('a person who is removed while signed in (ASVS 3.3.1, 4.1)', () => {
  test('loses the console, a half-finished sign-in, a consent page, applications and tokens at once', async () => {
    const service = await demoServiceForTest();
    const { store } = service.context;
    const app = await stockClient(service.apiUrl);
    const tokens = await app.signIn(mei, 'SEARCH');
    const signedInBrowser = await signedIn(service, 'mei');
    const deciding = client({ apiUrl: service.authorizationServerUrl });
    const consent = await submit(deciding, await toPage(deciding, (await app.begin('CHAT')).url.href), mei);
    const typing = client(service);
    const form = await typing.get('/admin');
    const created = await signedInBrowser.post('/admin/tokens', {
      form: 'x',
      description: 'x',
      permission: 'USER',
      userEmail: at('mei'),
      scopes: 'SEARCH',
    });
    const secret = /svc_[\w-]{43}/.exec(created.text)?.[0] ?? '';
    const person = await personNamed(service, 'mei');
    await store.people.remove(await personNamed(service, 'grace'), person.id);

    expect((await signedInBrowser.once('/admin')).status).toBe(303);
    expect((await signedInBrowser.post('/admin/tokens', { description: 'x' })).status).toBe(403);
    expect((await submit(deciding, consent, { decision: 'allow' })).headers.get('location') ?? '').not.toContain(
      'code=',
    );
    expect((await submit(typing, form, mei)).status).toBe(401);
    await expect(app.post(searchPath, tokens, { query: 'a' })).rejects.toMatchObject({ status: 401 });
    await expect(app.refresh(tokens)).rejects.toMatchObject({ error: 'invalid_grant' });
    const { status } = await fetch(service.apiUrl + searchPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(status).toBe(401);
  });
});

describe('a role that is taken away while its person is signed in (ASVS 4.1.3)', () => {
  test('ends every right at the next request, with the pages and forms that are open', async () => {
    const { service, sql } = await inFile();
    const { store } = service.context;
    const grace = await signedIn(service, 'grace');
    await grace.get('/admin/tokens/new');
    const other = await personNamed(service, 'priya');
    await sql.execute({ sql: "UPDATE people SET role = 'user' WHERE email = ?", args: [at('grace')] });
    for (const permission of ['USER', 'GLOBAL']) {
      const fields = {
        form: permission,
        description: 'x',
        permission,
        scopes: 'SEARCH',
        ...(permission === 'USER' && { userEmail: at('grace') }),
      };
      expect((await grace.post('/admin/tokens', fields)).status).toBe(403);
    }
    expect((await grace.get('/admin/people')).status).toBe(403);
    expect((await grace.post(`/admin/people/${other.id}/remove`, {})).status).toBe(403);
    expect(await store.people.findById(other.id)).toBeDefined();
    expect((await grace.get('/admin/audit')).text).toContain('What you did');
    expect((await grace.get('/admin')).text).not.toContain('/admin/people');
  });
});

describe('a client that is removed while it works (ASVS 3.3, RFC 7009)', () => {
  test('finishes no sign-in, no code and no refresh, and its id is given to nobody', async () => {
    const service = await demoServiceForTest();
    const app = await stockClient(service.apiUrl);
    const tokens = await app.signIn(mei, 'SEARCH');
    const begun = await app.begin('SEARCH');
    const back = await browse(begun.url, mei);
    const deciding = client({ apiUrl: service.authorizationServerUrl });
    const consent = await submit(deciding, await toPage(deciding, (await app.begin('CHAT')).url.href), mei);
    const grace = await signedIn(service, 'grace');
    await grace.get('/admin/applications');
    await grace.post(`/admin/applications/${app.client.client_id}/remove`, {});

    await expect(app.redeem(back, begun)).rejects.toMatchObject({ error: 'invalid_client' });
    await expect(app.refresh(tokens)).rejects.toMatchObject({ error: 'invalid_client' });
    await expect(app.post(searchPath, tokens, { query: 'a' })).rejects.toMatchObject({ status: 401 });
    const answer = await submit(deciding, consent, { decision: 'allow' });
    expect(answer.headers.get('location') ?? '').not.toContain('code=');
    expect(answer.status).toBeLessThan(500);
    const { url } = await app.begin('SEARCH');
    expect((await toPage(client({ apiUrl: service.authorizationServerUrl }), url.href)).status).toBe(400);
  });
});
