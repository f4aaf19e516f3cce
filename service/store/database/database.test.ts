import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';

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

test('the audit trail gets an event with each token and each revocation, and is read-only', async () => {
  const db = await openDatabase(file());
  onTestFinished(() => db.$client.close());
  const run = (statement: string) => db.$client.execute(statement);
  await run(`INSERT INTO people (id, email, name, role) VALUES ('1', 'a@example.com', 'A', 'user')`);
  await run(`INSERT INTO service_tokens (id, hash, description, permission, scopes, user_email, created_by, created_at)
    VALUES ('t', 'h', 'CI', 'USER', '["PINS"]', 'a@example.com', 'a@example.com', 2)`);
  await run(`UPDATE service_tokens SET revoked_at = 3, revoked_by = 'a@example.com'`);
  await run(`INSERT INTO audit_events (at, actor, action) VALUES (4, 'a@example.com', 'sign-in failed')`);
  const { rows } = await run('SELECT at, action FROM audit_events ORDER BY id');
  expect(rows).toEqual([
    { at: 2, action: 'token created' },
    { at: 3, action: 'token revoked' },
    { at: 4, action: 'sign-in failed' },
  ]);
  for (const change of ['DELETE FROM audit_events', 'UPDATE audit_events SET at = 0'])
    await expect(run(change)).rejects.toThrow('the audit trail is fixed');
});

test('a file of a newer release is refused', async () => {
  const url = file();
  const db = await openDatabase(url);
  await db.$client.execute('INSERT INTO schema_version VALUES (999)');
  db.$client.close();
  await expect(openDatabase(url)).rejects.toThrow(/is at version 999; this service knows versions up to/);
});
