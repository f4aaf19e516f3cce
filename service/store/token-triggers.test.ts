import { expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from './database/database.ts';

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
