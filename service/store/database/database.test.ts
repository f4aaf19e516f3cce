import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client/sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';
import { migrations } from './migrations.ts';

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return `file:${join(folder, 'service.db')}`;
}

test('a file has a write-ahead log, and every commit is flushed to the disk', async () => {
  const db = await openDatabase(file());
  onTestFinished(() => db.$client.close());
  const { rows: journal } = await db.$client.execute('PRAGMA journal_mode');
  const { rows: synchronous } = await db.$client.execute('PRAGMA synchronous');
  expect([journal[0]?.journal_mode, synchronous[0]?.synchronous]).toEqual(['wal', 2]);
});

test('only the owner can read a new file and the files that SQLite creates beside it', async () => {
  const url = file();
  const db = await openDatabase(url);
  onTestFinished(() => db.$client.close());
  const path = url.slice('file:'.length);
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(path + suffix).mode & 0o077).toBe(0);
});

test('a file of the current version is opened unchanged', async () => {
  const url = file();
  const first = await openDatabase(url);
  await first.$client.execute(`INSERT INTO people (id, email, name, role) VALUES ('1', 'a@example.com', 'A', 'user')`);
  first.$client.close();
  const again = await openDatabase(url);
  onTestFinished(() => again.$client.close());
  expect((await again.$client.execute('SELECT email FROM people')).rows).toEqual([{ email: 'a@example.com' }]);
});

test('a file of an older release is migrated and keeps its data', async () => {
  const url = file();
  const old = createClient({ url });
  await old.batch(
    [
      'CREATE TABLE schema_version (version INTEGER PRIMARY KEY) STRICT',
      'INSERT INTO schema_version VALUES (1)',
      ...(migrations[0] ?? []),
      `INSERT INTO people VALUES ('1', 'a@example.com', 'A', 'user', NULL)`,
      `INSERT INTO service_tokens VALUES
        ('1', 'h', 'CI', 'USER', '["PINS"]', NULL, 'a@example.com', 'a@example.com', 1, 2, NULL)`,
    ],
    'write',
  );
  old.close();
  const db = await openDatabase(url);
  onTestFinished(() => db.$client.close());
  const { rows } = await db.$client.execute('SELECT scopes, revoked_at, revoked_by FROM service_tokens');
  expect(rows).toEqual([{ scopes: '["PINS"]', revoked_at: 2, revoked_by: null }]);
});

test('the audit trail of an older release is kept, stays read-only and gets new events', async () => {
  const url = file();
  const old = createClient({ url });
  await old.batch(
    [
      'CREATE TABLE schema_version (version INTEGER PRIMARY KEY) STRICT',
      'INSERT INTO schema_version VALUES (4)',
      ...migrations.slice(0, 4).flat(),
      `INSERT INTO people VALUES ('1', 'a@example.com', 'A', 'user', NULL)`,
      `INSERT INTO audit_events VALUES (7, 1, 'a@example.com', 'signed in', NULL, NULL)`,
    ],
    'write',
  );
  old.close();
  const db = await openDatabase(url);
  onTestFinished(() => db.$client.close());
  const token = `'t', 'h', 'CI', 'USER', '["PINS"]', NULL, 'a@example.com', 'a@example.com', 2, NULL, NULL, NULL`;
  await db.$client.execute(`INSERT INTO service_tokens VALUES (${token})`);
  await db.$client.execute(`UPDATE service_tokens SET revoked_at = 3, revoked_by = 'a@example.com'`);
  await db.$client.execute(`INSERT INTO audit_events VALUES (10, 4, 'a@example.com', 'sign-in failed', NULL, NULL)`);
  const { rows } = await db.$client.execute('SELECT id, at, action FROM audit_events ORDER BY id');
  expect(rows).toEqual([
    { id: 7, at: 1, action: 'signed in' },
    { id: 8, at: 2, action: 'token created' },
    { id: 9, at: 3, action: 'token revoked' },
    { id: 10, at: 4, action: 'sign-in failed' },
  ]);
  for (const change of ['DELETE FROM audit_events', 'UPDATE audit_events SET at = 0'])
    await expect(db.$client.execute(change)).rejects.toThrow('the audit trail is fixed');
});

test('a file of a newer release is refused', async () => {
  const url = file();
  const db = await openDatabase(url);
  await db.$client.execute('INSERT INTO schema_version VALUES (999)');
  db.$client.close();
  await expect(openDatabase(url)).rejects.toThrow(/is at version 999; this service knows versions up to/);
});
