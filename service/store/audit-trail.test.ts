import { expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from './database/database.ts';
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

async function opened(): Promise<{ run: Database['$client']['execute'] }> {
  const { $client: client } = await openDatabase(':memory:');
  onTestFinished(() => client.close());
  await client.execute(`INSERT INTO people (id, email, name, role) VALUES ('1', 'a@example.com', 'A', 'super-admin')`);
  await client.execute(insert('INSERT'));
  return { run: client.execute.bind(client) };
}

const insert = (how: string) =>
  `${how} INTO service_tokens
    (id, hash, description, permission, scopes, user_email, created_by, created_at)
    VALUES ('1', 'h', 'CI', 'USER', '["PINS"]', 'a@example.com', 'a@example.com', 5)`;
const revoke = `UPDATE service_tokens SET revoked_at = 7, revoked_by = 'a@example.com'`;

test.each([
  'id',
  'hash',
  'description',
  'permission',
  'scopes',
  'expires_at',
  'user_email',
  'created_by',
  'created_at',
])('nothing in the database can change the %s of a token (spec 2.1, 8)', async (column) => {
  const { run } = await opened();
  await expect(run(`UPDATE service_tokens SET ${column} = '9'`)).rejects.toThrow(/fixed at creation/);
  // An update to the same value is refused too.
  await expect(run(`UPDATE service_tokens SET ${column} = ${column}`)).rejects.toThrow(/fixed at creation/);
});

test('a token cannot be deleted or replaced', async () => {
  const { run } = await opened();
  await expect(run('DELETE FROM service_tokens')).rejects.toThrow(/stays in the books/);
  const wider = insert('INSERT OR REPLACE').replace('PINS', 'SEARCH');
  await expect(run(wider)).rejects.toThrow(/stays in the books/);
  expect((await run('SELECT scopes FROM service_tokens')).rows).toEqual([{ scopes: '["PINS"]' }]);
});

test('a token is revoked once, with a time and a person', async () => {
  const { run } = await opened();
  await expect(run('UPDATE service_tokens SET revoked_at = 7')).rejects.toThrow(/by somebody/);
  await expect(run(`UPDATE service_tokens SET revoked_by = 'a@example.com'`)).rejects.toThrow(/by somebody/);
  await run(revoke);
  await expect(run(revoke)).rejects.toThrow(/stays revoked/);
  await expect(run('UPDATE service_tokens SET revoked_at = NULL, revoked_by = NULL')).rejects.toThrow(/stays revoked/);
});

test('the database writes the audit trail, and nobody can change it', async () => {
  const { run } = await opened();
  await run(revoke);
  const rows = [
    { at: 5, actor: 'a@example.com', action: 'token created', token_id: '1' },
    { at: 7, actor: 'a@example.com', action: 'token revoked', token_id: '1' },
  ];
  const read = async () => (await run('SELECT at, actor, action, token_id FROM audit_events ORDER BY id')).rows;
  expect(await read()).toEqual(rows);
  await expect(run('UPDATE audit_events SET at = 9')).rejects.toThrow(/audit trail is fixed/);
  await expect(run('DELETE FROM audit_events')).rejects.toThrow(/audit trail is fixed/);
  const forged = `INSERT OR REPLACE INTO audit_events (id, at, actor, action) VALUES (1, 9, 'a@example.com', 'signed in')`;
  await expect(run(forged)).rejects.toThrow(/audit trail is fixed/);
  expect(await read()).toEqual(rows);
});

test('using a token is allowed and records no event', async () => {
  const { run } = await opened();
  await run('UPDATE service_tokens SET last_used_at = 6');
  expect((await run('SELECT count(*) AS events FROM audit_events')).rows).toEqual([{ events: 1 }]);
});
