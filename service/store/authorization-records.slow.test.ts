import { expect, test } from 'vitest';
import { recordsForTest } from '../testing/authorization-records.ts';
import { maxInteractions, maxInteractionsOfPerson, maxUnusedClients } from './authorization-records.ts';

test('sign-ins that are under way are limited in number, and the oldest give way', async () => {
  const { clock, records, of, fill } = await recordsForTest();
  await of('Interaction').upsert('oldest', { jti: 'oldest' }, 600);
  clock.now += 1000;
  await fill('Interaction', maxInteractions - 1, 600);
  clock.now += 1000;
  for (let count = 1; count < 500; count += 1) await of('Interaction').upsert(`i ${count}`, { jti: `i ${count}` }, 600);
  expect(await records.count()).toBe(maxInteractions);
  expect(await of('Interaction').find('oldest')).toBeUndefined();
  expect(await of('Interaction').find('i 1')).toBeDefined();
});

test('sign-ins of strangers never take the place of those of people, nor those of one person the place of others', async () => {
  const { clock, of, fill } = await recordsForTest();
  const begin = (id: string, accountId: string) => of('Interaction').upsert(id, { jti: id, accountId }, 600);
  await begin('of ann', 'ann');
  clock.now += 1000;
  await fill('Interaction', maxInteractions + 1, 600);
  for (let count = 1; count < 500; count += 1) await begin(`of bob ${count}`, 'bob');
  expect(await of('Interaction').find('of ann')).toBeDefined();
  const left = await Promise.all(Array.from({ length: 500 }, (_, count) => of('Interaction').find(`of bob ${count}`)));
  expect(left.filter(Boolean)).toHaveLength(maxInteractionsOfPerson);
});

test('a client that registered itself gives way to newer ones when there are a thousand without a consent', async () => {
  const { clock, records, of } = await recordsForTest();
  await of('Client').upsert('used', { client_id: 'used' });
  await of('Grant').upsert('g', { jti: 'g', clientId: 'used' }, 60);
  for (let count = 0; count <= maxUnusedClients; count += 1) {
    clock.now += 1000;
    await of('Client').upsert(`app ${count}`, { client_id: `app ${count}` });
  }
  expect(await of('Client').find('app 0')).toBeUndefined();
  expect(await of('Client').find('app 1')).toBeDefined();
  expect(await of('Client').find('used')).toBeDefined();
  // The grant has expired by now and is deleted.
  expect(await records.count()).toBe(maxUnusedClients + 1);
});
