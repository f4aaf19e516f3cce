import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { request } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { keyOverlap } from '../store/authorization-keys.ts';
import { openStore } from '../store/store.ts';
import { at, demoServiceForTest, password, personNamed, signedIn } from '../testing/client.ts';
import { stockClient } from '../testing/stock-client.ts';
import { createKeyRing } from './authorization-server.ts';

const searchPath = '/rest/api/v1/search';
const priya = { email: at('priya'), password };
const day = 24 * 60 * 60 * 1000;

async function publishedKeys(issuer: string): Promise<Record<string, unknown>[]> {
  const { body } = await request(`${issuer}/jwks`);
  const { keys } = Object(await body.json());
  return keys;
}

test('after a rotation, what was signed before stays valid, and new tokens have a new key', async () => {
  const service = await demoServiceForTest();
  const { authorizationServerUrl: issuer, context } = service;
  const client = await stockClient(service.apiUrl);
  const before = await client.signIn(priya, 'SEARCH');
  const browser = await signedIn(service, 'priya');
  const [old] = await publishedKeys(issuer);

  expect(await context.store.authorizationKeys.rotate(0, 'by command')).toBe(true);
  // This process notices after a few seconds.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6000 });
  onTestFinished(() => void vi.useRealTimers());
  const published = await publishedKeys(issuer);
  expect(published.map(({ kid }) => kid)).toEqual([expect.any(String), old?.['kid']]);
  expect(published.flatMap(Object.keys)).not.toContain('d');

  expect(await client.post(searchPath, before, { query: 'travel' })).toHaveProperty('results');
  const after = await client.refresh(before);
  expect(decodeProtectedHeader(before.accessToken).kid).toBe(old?.['kid']);
  expect(decodeProtectedHeader(after.accessToken).kid).toBe(published[0]?.['kid']);
  expect(await client.post(searchPath, after, { query: 'travel' })).toHaveProperty('results');
  // Cookies of the authorization server are signed too.
  expect((await browser.get((await client.begin('SEARCH')).url.href)).text).toContain('name="decision"');
  expect((await signedIn(service, 'mei')).page.status).toBe(200);
  const { events } = await context.store.auditTrail.read(await personNamed(service, 'grace'), 1);
  expect(events.filter(({ action }) => action === 'keys rotated')).toMatchObject([
    { actor: null, detail: 'by command' },
  ]);
});

describe('the keys', () => {
  async function ringOf(maxAge: number) {
    const clock = { now: Date.UTC(2030, 0, 1) };
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now });
    onTestFinished(() => void vi.useRealTimers());
    const store = await openStore(':memory:', Date.now);
    onTestFinished(store.close);
    const ring = createKeyRing({ keys: store.authorizationKeys, now: Date.now, maxAge });
    const ids = async () => (await ring.current()).map(({ id }) => id);
    const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms);
    return { store, ring, ids, pass };
  }

  test('rotate when they reach their age, and the old ones are published for one more day', async () => {
    const { ids, pass } = await ringOf(90 * day);
    const [first] = await ids();
    pass(90 * day - 1);
    expect(await ids()).toEqual([first]);
    pass(5001);
    const [second, ...old] = await ids();
    expect({ second, old }).toEqual({ second: expect.not.stringMatching(`^${first}$`), old: [first] });
    pass(keyOverlap - 1);
    expect(await ids()).toEqual([second, first]);
    pass(5001);
    expect(await ids()).toEqual([second]);
  });

  test('are the same array while nothing changes', async () => {
    const { ring, pass } = await ringOf(90 * day);
    const before = await ring.current();
    pass(6000);
    expect(await ring.current()).toBe(before);
  });

  test('rotate once when two processes find them too old', async () => {
    const { store, ids, pass } = await ringOf(90 * day);
    await ids();
    pass(100 * day);
    const { rotate } = store.authorizationKeys;
    expect((await Promise.all([rotate(90 * day, 'a'), rotate(90 * day, 'b')])).filter(Boolean)).toHaveLength(1);
    expect(await store.authorizationKeys.read()).toHaveLength(2);
  });

  test('that sign and those that are retired are found for a token, and no others', async () => {
    const { store, ring } = await ringOf(90 * day);
    await ring.current();
    await store.authorizationKeys.rotate(0, 'by command');
    const [now, old] = await store.authorizationKeys.read();
    const find = (kid: string) => ring.verify({ alg: 'ES256', kid }, { payload: '', signature: '' });
    // The new one is found at once, although the keys were read a moment ago.
    await expect(find(now?.id ?? '')).resolves.toBeDefined();
    await expect(find(old?.id ?? '')).resolves.toBeDefined();
    await expect(find('another')).rejects.toThrow('no applicable key found');
  });
});

test('two stores over one file share the keys, and a rotation in one is seen by the other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const open = () => openStore(`file:${join(folder, 'service.db')}`, Date.now);
  const [service, command] = [await open(), await open()];
  await service.authorizationKeys.rotate(day, 'at the start');
  await command.authorizationKeys.rotate(0, 'by command');
  const [one, other] = [await service.authorizationKeys.read(), await command.authorizationKeys.read()];
  expect(one).toHaveLength(2);
  expect(one).toEqual(other);
  service.close();
  command.close();
});
