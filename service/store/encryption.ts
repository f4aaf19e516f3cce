import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type Database, removeRemains } from './database/database.ts';
import { authorizationKeys, authorizationRecords, databaseEncryption } from './database/schema.ts';
import { createSeal, noSeal, type Seal } from './seal.ts';

const proof = { text: 'the right key', place: 'proof' } as const;

/** Where a record of the authorization server is stored, for its seal. */
export const placeOfRecord = (model: string, key: string) => `${model} ${key}`;
export const placeOfKey = (id: string) => `key ${id}`;

/**
 * Opens the seal of a database. The first start with a key encrypts what is stored in clear.
 *
 * @throws when the database is encrypted and the key is absent or another one; nothing is changed then
 */
export async function openEncryption(db: Database, databaseKey: string | undefined): Promise<Seal> {
  const [known] = await db.select().from(databaseEncryption);
  if (databaseKey === undefined) {
    if (!known) return noSeal;
    throw new Error('The database is encrypted. Set DATABASE_KEY to the key that it was encrypted with.');
  }
  if (!known) return encrypt(db, databaseKey);
  const seal = await createSeal(databaseKey, known.salt);
  try {
    if (seal.open(known.proof, proof.place) === proof.text) return seal;
  } catch {
    // The tag does not match.
  }
  throw new Error('DATABASE_KEY is not the key that the database was encrypted with. Nothing was changed.');
}

/** Encrypts all secrets of a database in one transaction. */
async function encrypt(db: Database, databaseKey: string): Promise<Seal> {
  const salt = randomBytes(16).toString('base64url');
  const seal = await createSeal(databaseKey, salt);
  const records = await db.select().from(authorizationRecords);
  const keys = await db.select().from(authorizationKeys);
  const updates: BatchItem<'sqlite'>[] = [
    ...records.map(({ model, key, payload }) =>
      db
        .update(authorizationRecords)
        .set({ payload: seal.seal(payload, placeOfRecord(model, key)) })
        .where(and(eq(authorizationRecords.model, model), eq(authorizationRecords.key, key))),
    ),
    ...keys.map(({ id, value }) =>
      db
        .update(authorizationKeys)
        .set({ value: seal.seal(value, placeOfKey(id)) })
        .where(eq(authorizationKeys.id, id)),
    ),
  ];
  const fresh = { id: 1, salt, proof: seal.seal(proof.text, proof.place) };
  await db.batch([db.insert(databaseEncryption).values(fresh), ...updates]);
  await removeRemains(db);
  return seal;
}
