import { describe, expect, test } from 'vitest';
import { recordsForTest } from '../testing/authorization-records.ts';
import { clientSecretMatches } from './authorization-records.ts';

describe('a record of the authorization server', () => {
  test('is found by its id, uid and user code', async () => {
    const { of } = await recordsForTest();
    const session = { jti: 's', uid: 'u', accountId: 'ann' };
    await of('Session').upsert('s', session, 60);
    expect(await of('Session').find('s')).toEqual(session);
    // The identifier is the cookie, so it is not stored.
    expect(await of('Session').findByUid('u')).toEqual({ uid: 'u', accountId: 'ann' });
    expect(await of('Grant').find('s')).toBeUndefined();
    await of('Session').upsert('s', { ...session, accountId: 'bob' }, 60);
    expect(await of('Session').findByUid('u')).toMatchObject({ accountId: 'bob' });
    await of('DeviceCode').upsert('d', { jti: 'd', userCode: 'ABCD' }, 60);
    expect(await of('DeviceCode').findByUserCode('ABCD')).toMatchObject({ userCode: 'ABCD' });
    await of('Session').destroy('s');
    expect(await of('Session').find('s')).toBeUndefined();
  });

  test('is stored without its code or token', async () => {
    const { of, allRows } = await recordsForTest();
    for (const model of ['AuthorizationCode', 'RefreshToken', 'AccessToken', 'Session', 'Interaction']) {
      await of(model).upsert(`swordfish-${model}`, { jti: `swordfish-${model}`, grantId: 'g' }, 60);
      expect(await of(model).find(`swordfish-${model}`)).toEqual({ jti: `swordfish-${model}`, grantId: 'g' });
    }
    expect(await allRows()).not.toContain('swordfish');
  });

  test('is consumed once, even by parallel requests', async () => {
    const { of } = await recordsForTest();
    await of('RefreshToken').upsert('r', { jti: 'r' }, 60);
    const results = await Promise.allSettled([1, 2, 3].map(() => of('RefreshToken').consume('r')));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await of('RefreshToken').find('r')).toMatchObject({ consumed: 1_000_000 });
  });

  test('is deleted with its grant', async () => {
    const { of } = await recordsForTest();
    await of('RefreshToken').upsert('a', { jti: 'a', grantId: 'g' }, 60);
    await of('RefreshToken').upsert('b', { jti: 'b', grantId: 'other' }, 60);
    await of('AuthorizationCode').upsert('c', { jti: 'c', grantId: 'g' }, 60);
    await of('RefreshToken').revokeByGrantId('g');
    expect(await of('RefreshToken').find('a')).toBeUndefined();
    expect(await of('AuthorizationCode').find('c')).toBeUndefined();
    expect(await of('RefreshToken').find('b')).toBeDefined();
  });

  test('is not found after its expiry, and is deleted when a later record is stored', async () => {
    const { clock, records, of } = await recordsForTest();
    for (const id of ['a', 'b', 'c']) await of('Interaction').upsert(id, { jti: id }, 60);
    clock.now += 59_999;
    expect(await of('Interaction').find('a')).toBeDefined();
    clock.now += 1;
    expect(await of('Interaction').find('a')).toBeUndefined();
    expect(await records.count()).toBe(3);
    clock.now += 60_000;
    await of('Interaction').upsert('d', { jti: 'd' }, 60);
    expect(await records.count()).toBe(1);
  });
});

describe('a client that registered itself', () => {
  const week = 7 * 24 * 3600 * 1000;

  test('does not expire after a person consented to it', async () => {
    const { clock, of } = await recordsForTest();
    await of('Client').upsert('app', { client_id: 'app' });
    await of('Grant').upsert('g', { jti: 'g', clientId: 'app' }, 60);
    clock.now += 100 * week;
    await of('Session').upsert('s', { jti: 's' }, 60);
    expect(await of('Client').find('app')).toEqual({ client_id: 'app' });
  });

  test('has its secret as a hash only', async () => {
    const { of, allRows } = await recordsForTest();
    await of('Client').upsert('app', { client_id: 'app', client_secret: 'swordfish' });
    expect(await allRows()).not.toContain('swordfish');
    const stored = (await of('Client').find('app'))?.client_secret;
    expect(clientSecretMatches('swordfish', stored)).toBe(true);
    for (const wrong of ['', 'sword', 'swordfish2', stored ?? ''])
      expect(clientSecretMatches(wrong, stored)).toBe(false);
    expect(clientSecretMatches('', undefined)).toBe(false);
    // A client that is stored again keeps its hash.
    await of('Client').upsert('app', { client_id: 'app', ...(stored !== undefined && { client_secret: stored }) });
    expect((await of('Client').find('app'))?.client_secret).toBe(stored);
  });

  test('expires after a week without a consent', async () => {
    const { clock, records, of } = await recordsForTest();
    await of('Client').upsert('app', { client_id: 'app' });
    await of('Grant').upsert('g', { jti: 'g', clientId: 'another' }, 60);
    clock.now += week - 1;
    expect(await of('Client').find('app')).toBeDefined();
    clock.now += 1001;
    await of('Session').upsert('s', { jti: 's' }, 60);
    expect(await of('Client').find('app')).toBeUndefined();
    expect(await records.count()).toBe(1);
  });
});
