import { chmodSync, statSync } from 'node:fs';
import { type Client, createClient } from '@libsql/client/sqlite3';
import { drizzle } from 'drizzle-orm/libsql/sqlite3';
import { migrations } from './migrations.ts';

export type Database = ReturnType<typeof drizzle>;

/**
 * Opens a database, brings it to the newest version and returns it.
 *
 * One connection, and no `db.transaction` anywhere: an open transaction would hold that connection, and every other
 * request of the service would fail meanwhile. What must happen together is one `db.batch` or one statement.
 *
 * @param url `:memory:`, or `file:<path>`
 * @throws when the file cannot be opened, or was written by a newer version of this service
 */
export async function openDatabase(url: string): Promise<Database> {
  const client = createClient({ url, concurrency: 1 });
  try {
    await client.execute('PRAGMA busy_timeout = 5000');
    await client.execute('PRAGMA foreign_keys = ON');
    // INSERT OR REPLACE deletes; what must not be deleted must not be replaced either.
    await client.execute('PRAGMA recursive_triggers = ON');
    await keepPrivate(client);
    // A token once shown, or once revoked, must still be so after a power cut.
    await client.execute('PRAGMA journal_mode = WAL');
    await client.execute('PRAGMA synchronous = FULL');
    await migrate(client, url);
    // A file that can be read but not written would only fail at the first token.
    await client.batch(['UPDATE schema_version SET version = version WHERE false'], 'write');
  } catch (error) {
    client.close();
    throw error;
  }
  return drizzle({ client });
}

/** A new file is its owner's alone, and so are the files that SQLite puts beside it: the keys of the service are in them. */
async function keepPrivate(client: Client): Promise<void> {
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
    // Of two services that start at once, the second fails on the primary key, and on nothing half done.
    const record = { sql: 'INSERT INTO schema_version (version) VALUES (?)', args: [index + 1] };
    await client.batch([record, ...statements], 'write');
  }
}
