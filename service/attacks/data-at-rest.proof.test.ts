import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client/sqlite3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type RunningService, startService } from '../start.ts';
import { demoCompany } from '../store/demo-company.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';
import { openStore } from '../store/store.ts';
import { register, submit, toPage } from '../testing/attacker.ts';
import { at, client, password, personNamed, signedIn } from '../testing/client.ts';
import { stockClient } from '../testing/stock-client.ts';

const databaseKey = 'a key of more than sixteen characters';
const grace = { email: at('grace'), password };
let folder: string;
let file: string;
let service: RunningService;
/** Everything that would open something, as it went over the wire. */
const secrets: string[] = [];

/** All bytes of the database and the files beside it. */
const stolen = (from = folder) =>
  Buffer.concat(readdirSync(from).map((name) => readFileSync(join(from, name)))).toString('latin1');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'at-rest-'));
  file = join(folder, 'service.db');
  service = await startService({ database: `file:${file}`, databaseKey, passwordCost: cheapPasswordCost });
  const { store } = service.context;
  await store.seed(demoCompany);
  await store.people.setPassword(grace.email, password);
  const app = await stockClient(service.apiUrl, { token_endpoint_auth_method: 'client_secret_basic' });
  const tokens = await app.signIn(grace, 'SEARCH openid');
  const browser = await signedIn(service, 'grace');
  const waiting = client({ apiUrl: service.authorizationServerUrl });
  // A sign-in that is under way, whose code is not redeemed.
  const begun = await app.begin('CHAT', { state: 'state-that-nobody-else-knows' });
  const answer = await submit(waiting, await submit(waiting, await toPage(waiting, begun.url.href), grace), {
    decision: 'allow',
  });
  const issued = await store.serviceTokens.issue(await personNamed(service, 'grace'), {
    description: 'x',
    permission: 'GLOBAL',
    scopes: ['SEARCH'],
  });
  const { json } = await register(service, { token_endpoint_auth_method: 'client_secret_post' });
  secrets.push(
    password,
    databaseKey,
    tokens.accessToken,
    tokens.refreshToken,
    issued.ok ? issued.secret : '',
    String(app.client.client_secret),
    String(json['client_secret']),
    new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '',
    begun.verifier,
    'state-that-nobody-else-knows',
    ...[...browser.cookies, ...waiting.cookies].map(([, value]) => value),
  );
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a copy of an encrypted database (ASVS 6.1, 6.2, 8.3)', () => {
  test('holds nothing that opens anything, in no encoding', () => {
    const bytes = stolen();
    expect(secrets.every((secret) => secret.length > 10)).toBe(true);
    for (const secret of secrets)
      for (const form of [secret, Buffer.from(secret).toString('base64url'), Buffer.from(secret).toString('hex')])
        expect(bytes.includes(form)).toBe(false);
  });

  test('holds no private key, no scope of a grant and no redirect URI', () => {
    const bytes = stolen();
    for (const text of ['"kty"', '"d":"', 'ES256', 'redirect_uris', 'accountId', 'code_challenge'])
      expect(bytes.includes(text)).toBe(false);
  });

  test('can be read by its owner only', () => {
    for (const name of readdirSync(folder))
      expect({ name, mode: statSync(join(folder, name)).mode & 0o077 }).toEqual({ name, mode: 0 });
  });
});

describe('somebody who writes into a copy (ASVS 6.2.7)', () => {
  /** A copy of the database for one test. */
  const copied = async () => {
    const other = mkdtempSync(join(tmpdir(), 'at-rest-copy-'));
    onTestFinished(() => rmSync(other, { recursive: true, force: true }));
    for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(other, name));
    const url = `file:${join(other, 'service.db')}`;
    return { url, sql: createClient({ url }) };
  };
  const opened = async (url: string, key: string | undefined) => {
    const store = await openStore(url, Date.now, { databaseKey: key });
    onTestFinished(store.close);
    return store;
  };

  test('cannot open it with a key that only looks like the right one', async () => {
    const { url, sql } = await copied();
    sql.close();
    await expect(openStore(url, Date.now, { databaseKey: `${databaseKey} ` })).rejects.toThrow(/DATABASE_KEY/);
  });

  test('and changes one byte of a record gets an error and no wrong content', async () => {
    const { url, sql } = await copied();
    const changed = (column: string) =>
      `${column} = substr(${column}, 1, 10) || CASE substr(${column}, 11, 1) WHEN 'A' THEN 'B' ELSE 'A' END || substr(${column}, 12)`;
    await sql.execute(`UPDATE authorization_records SET ${changed('payload')}`);
    await sql.execute(`UPDATE authorization_keys SET ${changed('value')}`);
    sql.close();
    const store = await opened(url, databaseKey);
    await expect(store.authorizationKeys.read()).rejects.toThrow();
    await expect(store.consents.clients(1)).rejects.toThrow();
  });

  test('cannot put a clear record among the encrypted ones', async () => {
    const { url, sql } = await copied();
    await sql.execute(`UPDATE authorization_keys SET value = '{"signing":{"kty":"EC"},"cookie":"attacker"}'`);
    sql.close();
    await expect((await opened(url, databaseKey)).authorizationKeys.read()).rejects.toThrow(/not encrypted/);
  });

  test('cannot delete events, change tokens, or bring a removed person back with SQL that the service could run', async () => {
    const { sql } = await copied();
    await sql.execute('PRAGMA recursive_triggers = ON');
    for (const statement of [
      'DELETE FROM audit_events',
      'UPDATE audit_events SET actor = NULL',
      'DELETE FROM service_tokens',
      "UPDATE service_tokens SET permission = 'GLOBAL'",
      'UPDATE service_tokens SET scopes = \'["CHAT"]\'',
    ])
      await expect(sql.execute(statement)).rejects.toThrow();
    sql.close();
  });
});
