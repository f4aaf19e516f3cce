import { expect, onTestFinished, test } from 'vitest';
import type { Role } from './database/schema.ts';
import type { Person } from './people.ts';
import { openStore } from './store.ts';

async function storeWithPeople() {
  const clock = { now: 1000 };
  const store = await openStore(':memory:', () => clock.now);
  onTestFinished(() => store.close());
  const person = (name: string, role: Role) => store.people.add({ email: `${name}@example.com`, name, role });
  const [boss, adam, uma] = [
    await person('boss', 'super-admin'),
    await person('adam', 'admin'),
    await person('uma', 'user'),
  ];
  const request = { description: 'CI', permission: 'USER', scopes: ['SEARCH'] };
  const trail = async (viewer: Person) =>
    (await store.auditTrail.read(viewer, 1)).events.map(({ actor, action }) => `${actor?.split('@')[0]} ${action}`);
  return { store, clock, boss, adam, uma, request, trail };
}

test('the creation and the revocation of a token are recorded, newest first and without its secret', async () => {
  const { store, clock, boss, uma, request } = await storeWithPeople();
  const issued = await store.serviceTokens.issue(boss, { ...request, userEmail: uma.email });
  if (!issued.ok) throw new Error('not issued');
  clock.now = 2000;
  await store.serviceTokens.recordUse(issued.token);
  await store.serviceTokens.revoke(uma, issued.token.id);
  const token = { id: issued.token.id, description: 'CI' };
  const { events } = await store.auditTrail.read(boss, 1, token.id);
  expect(events).toMatchObject([
    { at: 2000, actor: uma.email, action: 'token revoked', token },
    { at: 1000, actor: boss.email, action: 'token created', token },
  ]);
  expect(JSON.stringify(events)).not.toContain(issued.secret.slice(4));
  expect(await store.tokenList.find(boss, token.id)).toMatchObject({ revokedBy: uma.email, lastUsedAt: 2000 });
});

test('a request for a token that the person may not create is recorded', async () => {
  const { store, boss, adam, request } = await storeWithPeople();
  await store.serviceTokens.issue(adam, { ...request, userEmail: boss.email });
  await store.serviceTokens.issue(adam, { ...request, permission: 'GLOBAL' });
  // An incomplete form is not recorded.
  await store.serviceTokens.issue(adam, { ...request, description: '', userEmail: adam.email });
  const { events } = await store.auditTrail.read(boss, 1);
  expect(events.map(({ action, detail }) => [action, detail])).toEqual([
    ['token refused', 'GLOBAL token. Only a Super Admin may create a GLOBAL token.'],
    ['token refused', 'USER token for boss@example.com. You may create tokens for yourself only. Ask a Super Admin.'],
  ]);
});

test('a person sees what they did and what happened to their tokens; a Super Admin sees all events', async () => {
  const { store, boss, adam, uma, request, trail } = await storeWithPeople();
  await store.auditTrail.signedIn(adam);
  await store.serviceTokens.issue(boss, { ...request, userEmail: uma.email });
  await store.auditTrail.signedOut(adam);
  expect(await trail(boss)).toEqual(['adam signed out', 'boss token created', 'adam signed in']);
  expect(await trail(adam)).toEqual(['adam signed out', 'adam signed in']);
  expect(await trail(uma)).toEqual(['boss token created']);
});

test('a long audit trail has pages', async () => {
  const { store, boss } = await storeWithPeople();
  for (let count = 0; count < 51; count += 1) await store.auditTrail.signedIn(boss);
  expect(await store.auditTrail.read(boss, 1)).toMatchObject({ hasMore: true, events: { length: 50 } });
  expect(await store.auditTrail.read(boss, 2)).toMatchObject({ hasMore: false, events: [{ id: 1 }] });
});
