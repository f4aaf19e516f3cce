import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startService } from '../start.ts';
import { client as browserOf } from '../testing/client.ts';
import { stockClient } from '../testing/stock-client.ts';
import { createSeal } from './encryption.ts';
import { cheapPasswordCost } from './password-hash.ts';
import { openStore } from './store.ts';

const databaseKey = 'correct horse battery staple';
const ann = { email: 'ann@example.com', password: 'a password of Ann' };
let folder: string;
let database: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'encryption-'));
  database = `file:${join(folder, 'service.db')}`;
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Everything in the files of the database. */
const bytes = () =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');

/** Signs Ann in at a client and at the console, and returns every secret that came up. */
async function useService(key?: string) {
  const config = { passwordCost: cheapPasswordCost, database, databaseKey: key };
  const service = await startService(config);
  const { people, authorizationKeys, serviceTokens } = service.context.store;
  const person = (await people.find(ann.email)) ?? (await people.add({ ...ann, name: 'Ann', role: 'super-admin' }));
  const client = await stockClient(service.apiUrl, { token_endpoint_auth_method: 'client_secret_basic' });
  const tokens = await client.signIn(ann, 'SEARCH');
  const browser = browserOf(service);
  const form = await browser.get('/admin');
  await browser.post(form.url.href, { ...ann });
  // An interaction that has not ended knows the session.
  await browser.get((await client.begin('SEARCH')).url.href);
  const issued = await serviceTokens.issue(person, { description: 'x', permission: 'GLOBAL', scopes: ['SEARCH'] });
  const generations = await authorizationKeys.read();
  const fromServer = {
    'client secret': client.client.client_secret,
    'access token': tokens.accessToken,
    'refresh token': tokens.refreshToken,
    'token secret': issued.ok ? issued.secret : undefined,
    password: ann.password,
    ...Object.fromEntries([...browser.cookies].map(([name, value]) => [`cookie ${name}`, value])),
  };
  const keys = Object.fromEntries(
    generations.flatMap(({ signing, cookie }) => [
      ['signing key', signing.d] as const,
      ['cookie key', cookie] as const,
    ]),
  );
  return { service, client, tokens, fromServer, keys };
}

const found = (secrets: Record<string, unknown>, text: string) =>
  Object.entries(secrets)
    .filter(([, secret]) => typeof secret === 'string' && secret !== '' && text.includes(secret))
    .map(([name]) => name);

test('a database without a key holds no secret that can be hashed', async () => {
  const { service, fromServer, keys } = await useService();
  expect(Object.keys(fromServer)).toEqual(
    expect.arrayContaining(['cookie console', 'cookie _session', 'cookie _interaction']),
  );
  expect(found(fromServer, bytes())).toEqual([]);
  // The documentation says so.
  expect(found(keys, bytes())).toEqual(['signing key', 'cookie key']);
  await service.close();
});

test('a database with a key holds no secret in clear, and serves the next start with the same key', async () => {
  const first = await useService(databaseKey);
  expect(found({ ...first.fromServer, ...first.keys, databaseKey }, bytes())).toEqual([]);
  await first.service.close();
  const again = await useService(databaseKey);
  expect(again.keys).toEqual(first.keys);
  await again.service.close();
});

test('the first start with a key encrypts what is there, and leaves no copy', async () => {
  const before = await useService();
  await before.service.close();
  const config = { passwordCost: cheapPasswordCost, database, databaseKey };
  const service = await startService({ ...config, ...portsOf(before.service) });
  expect(found(before.keys, bytes())).toEqual([]);
  expect(found(before.keys, bytes())).toEqual([]);
  expect(await before.client.refresh(before.tokens)).toHaveProperty('accessToken');
  await service.close();
  expect(found(before.keys, bytes())).toEqual([]);
});

const portsOf = ({ apiUrl, authorizationServerUrl }: { apiUrl: string; authorizationServerUrl: string }) => ({
  port: Number(new URL(apiUrl).port),
  authorizationServerPort: Number(new URL(authorizationServerUrl).port),
});

describe('an encrypted database', () => {
  test.each([
    ['no key', undefined, 'The database is encrypted. Set DATABASE_KEY'],
    [
      'another key',
      'another key',
      'DATABASE_KEY is not the key that the database was encrypted with. Nothing was changed.',
    ],
    ['an empty key', '', 'DATABASE_KEY is not the key'],
  ])('is not opened with %s, and nothing is lost', async (_what, key, said) => {
    const first = await openStore(database, Date.now, { databaseKey });
    await first.authorizationKeys.rotate(0, 'at the start');
    const keys = await first.authorizationKeys.read();
    first.close();
    await expect(openStore(database, Date.now, { databaseKey: key })).rejects.toThrow(said);
    const again = await openStore(database, Date.now, { databaseKey });
    expect(await again.authorizationKeys.read()).toEqual(keys);
    again.close();
  });

  test('keeps its place for each record: a copied record opens nowhere else', async () => {
    const seal = await createSeal(databaseKey, 'salt');
    const sealed = seal.seal('secret', 'Client a');
    expect(seal.open(sealed, 'Client a')).toBe('secret');
    expect(() => seal.open(sealed, 'Client b')).toThrow();
    const changed = sealed.endsWith('AA') ? 'zz' : 'AA';
    expect(() => seal.open(`${sealed.slice(0, -2)}${changed}`, 'Client a')).toThrow();
    expect(() => seal.open('{"client_id":"a"}', 'Client a')).toThrow('is not encrypted, but the database is');
    expect(seal.seal('secret', 'Client a')).not.toBe(sealed);
  });
});
