import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { configurationError } from '../harness/contract/configuration-error.ts';
import { loadService } from '../suites/reference.ts';
import { print } from './terminal.ts';

export interface RotateKeysFlags {
  readonly discardOld?: boolean;
}

/** Rotates the keys of a reference service, whether or not it runs. A running service uses the new keys a few seconds later. */
export async function rotateKeysCommand({ discardOld }: RotateKeysFlags): Promise<void> {
  const { openStore, readConfiguration } = await loadService();
  const read = readConfiguration(process.env);
  if (!read.ok) throw configurationError(read.problems);
  const { database = defaultDatabase, databaseKey } = read.configuration;
  const file = database.startsWith('file:') ? resolve(database.slice('file:'.length)) : undefined;
  if (file === undefined)
    throw configurationError('DATABASE_URL is ":memory:", which has no keys to rotate; wanted "file:<path>"');
  if (!existsSync(file))
    throw configurationError(`there is no database at ${file}; set DATABASE_URL to the one of the service`);
  const store = await openStore(database, Date.now, { databaseKey, isStart: false }).catch(asDatabaseError);
  try {
    const rotated = await store.authorizationKeys.rotate(
      0,
      discardOld ? 'by command, and the old ones were discarded' : 'by command',
    );
    if (!rotated) throw configurationError('the keys of the database are dated in the future; is the clock right?');
    if (discardOld) await store.authorizationKeys.discardRetired();
  } finally {
    store.close();
  }
  print(
    discardOld
      ? `The keys in ${file} rotated. Everything signed with the old ones has ended: people sign in again.`
      : `The keys in ${file} rotated. The old public key stays published for a day, so everything signed with it stays valid.`,
  );
}

/** Where the reference service keeps its data without DATABASE_URL. */
export const defaultDatabase = 'file:client-api.db';

/** Explains why the database of the reference service cannot be opened, if another setting would help. */
export function asDatabaseError(error: unknown): never {
  const { code, message } = Object(error);
  if (/^SQLITE_/.test(String(code)) || /ConnectionFailed|unable to open/i.test(String(error)))
    throw configurationError(
      code === 'SQLITE_NOTADB'
        ? 'DATABASE_URL names a file that is no database; name one of the service, or one that does not exist yet'
        : `cannot open the database at DATABASE_URL${code ? ` (${code})` : ''}; check that its folder exists and is writable`,
    );
  if (/ is at version |DATABASE_KEY/.test(String(error))) throw configurationError(String(message).split('\n'));
  throw error;
}
