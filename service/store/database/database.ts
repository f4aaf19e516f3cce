import { chmodSync, statSync } from 'node:fs';
import { type Client, createClient } from '@libsql/client/sqlite3';
import { drizzle } from 'drizzle-orm/libsql/sqlite3';
import { migrations } from './migrations.ts';

export type Database = ReturnType<typeof drizzle>;

/**
 * Opens a database and migrates it to the newest version.
 *
 * There is one connection, so nothing uses `db.transaction`: a transaction would hold the connection, and every other request
 * would fail until it ends. Writes that belong together are one `db.batch` or one statement.
 *
 * @param url `:memory:`, or `file:<path>`
 * @throws when the file cannot be opened, or was written by a newer version of this service
 */
export async function openDatabase(url: string): Promise<Database> {
  const client = createClient({ url, concurrency: 1 });
  try {
    await client.execute('PRAGMA busy_timeout = 5000');
    await client.execute('PRAGMA foreign_keys = ON');
    // With this setting INSERT OR REPLACE fires the triggers that forbid deletion.
    await client.execute('PRAGMA recursive_triggers = ON');
    // What is deleted is overwritten, so that no free page keeps it.
    await client.execute('PRAGMA secure_delete = ON');
    await restrictAccess(client);
    // A power cut must not lose a created token or a revocation.
    await client.execute('PRAGMA journal_mode = WAL');
    await client.execute('PRAGMA synchronous = FULL');
    await migrate(client, url);
    // This write fails now if the file is read-only, instead of at the first token.
    await client.batch(['UPDATE schema_version SET version = version WHERE false'], 'write');
  } catch (error) {
    client.close();
    throw error;
  }
  return drizzle({ client });
}

/** Removes what is left of old content: free pages and the write-ahead log still hold it. */
export async function removeRemains({ $client }: Database): Promise<void> {
  // Otherwise the copy that VACUUM makes is a file.
  await $client.execute('PRAGMA temp_store = MEMORY');
  await $client.execute('VACUUM');
  await $client.execute('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** Only its owner may read a new file: it holds the keys of the service. SQLite gives the files beside it the same permissions. */
async function restrictAccess(client: Client): Promise<void> {
  const { rows } = await client.execute("SELECT file FROM pragma_database_list WHERE name = 'main'");
  const file = String(rows[0]?.file ?? '');
  if (file !== '' && statSync(file).size === 0) chmodSync(file, 0o600);
}

async function migrate(client: Client, url: string): Promise<void> {
  await client.execute('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY) STRICT');
  const { rows } = await client.execute('SELECT coalesce(max(version), 0) AS version FROM schema_version');
  const version = Number(rows[0]?.version);
  if (version > migrations.length) {
    throw new Error(
      `${url} is at version ${version}; this service knows versions up to ${migrations.length}. ` +
        'Run the newer release that wrote it, or point the service at another database.',
    );
  }
  for (const [index, statements] of migrations.entries()) {
    if (index < version) continue;
    // If two services start at the same time, the second one fails here on the primary key, before it changes anything.
    const record = { sql: 'INSERT INTO schema_version (version) VALUES (?)', args: [index + 1] };
    await client.batch([record, ...statements], 'write');
  }
}
