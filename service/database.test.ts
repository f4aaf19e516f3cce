import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return `file:${join(folder, 'service.db')}`;
}

test('a file is written ahead, with every commit on the disk', async () => {
  const db = await openDatabase(file());
  onTestFinished(() => db.$client.close());
  const { rows: journal } = await db.$client.execute('PRAGMA journal_mode');
  const { rows: synchronous } = await db.$client.execute('PRAGMA synchronous');
  expect([journal[0]?.journal_mode, synchronous[0]?.synchronous]).toEqual(['wal', 2]);
});

test('a file that is up to date is opened as it is', async () => {
  const url = file();
  const first = await openDatabase(url);
  await first.$client.execute(`INSERT INTO people VALUES ('1', 'a@example.com', 'A', 'user', NULL)`);
  first.$client.close();
  const again = await openDatabase(url);
  onTestFinished(() => again.$client.close());
  expect((await again.$client.execute('SELECT email FROM people')).rows).toEqual([{ email: 'a@example.com' }]);
});

test('a file of a newer release is refused', async () => {
  const url = file();
  const db = await openDatabase(url);
  await db.$client.execute('INSERT INTO schema_version VALUES (999)');
  db.$client.close();
  await expect(openDatabase(url)).rejects.toThrow(/is at version 999; this service knows versions up to/);
});
