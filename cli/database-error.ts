import { configurationError } from '../harness/contract/configuration-error.ts';

/** Where the reference service keeps its data without DATABASE_URL. */
export const defaultDatabase = 'file:client-api.db';

/** Explains why the database of the reference service cannot be opened, if another setting would help. */
export function asDatabaseError(error: unknown): never {
  const { code, message } = Object(error);
  if (/^SQLITE_/.test(String(code)) || /ConnectionFailed|unable to open/i.test(String(error)))
    throw configurationError(
      `cannot open the database at DATABASE_URL (${code || 'unknown error'}); check that its folder exists and is writable`,
    );
  if (/ is at version |DATABASE_KEY/.test(String(error))) throw configurationError(String(message).split('\n'));
  throw error;
}
