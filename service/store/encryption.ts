import { createCipheriv, createDecipheriv, createHash, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { and, eq } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type Database, removeRemains } from './database/database.ts';
import { authorizationKeys, authorizationRecords, databaseEncryption } from './database/schema.ts';

const proof = { text: 'the right key', place: 'proof' } as const;

/** Where a record of the authorization server is stored, for its seal. */
export const placeOfRecord = (model: string, key: string) => `${model} ${key}`;
export const placeOfKey = (id: string) => `key ${id}`;

/**
 * Opens the seal of a database. The first start with a key encrypts what is stored in clear.
 *
 * @param isStart false for a command beside the service, which may be running without a key
 * @throws when the database is encrypted and the key is absent or another one, or when it is not and no start opens it; nothing
 * is changed then
 */
export async function openEncryption(db: Database, databaseKey: string | undefined, isStart: boolean): Promise<Seal> {
  const [known] = await db.select().from(databaseEncryption);
  if (databaseKey === undefined) {
    if (!known) return noSeal;
    throw new Error('The database is encrypted. Set DATABASE_KEY to the key that it was encrypted with.');
  }
  if (!known && !isStart)
    throw new Error('The database is not encrypted yet: the next start of the service with DATABASE_KEY does that.');
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

/** Encrypts the secrets of the authorization server at rest, if the service has a database key. */
export interface Seal {
  /** @param place where the text is stored; a sealed text opens at no other place */
  seal(text: string, place: string): string;
  /** @throws when the text was sealed with another key or for another place, or was changed */
  open(sealed: string, place: string): string;
}

/** For a database without a key. */
export const noSeal: Seal = { seal: (text) => text, open: (text) => text };

const algorithm = 'aes-256-gcm';
const version = 'v1.';
/** In bytes (NIST SP 800-38D 8.2). */
const [nonceLength, tagLength] = [12, 16];

/** OWASP Password Storage Cheat Sheet, for keys that people make up. Each start derives the key once. */
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 128 * 2 ** 20 };
const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

export async function createSeal(databaseKey: string, salt: string): Promise<Seal> {
  const key = await derive(databaseKey.normalize(), Buffer.from(salt, 'base64url'), 32, cost);
  return {
    seal(text, place) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(place));
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return version + Buffer.concat(parts).toString('base64url');
    },
    open(sealed, place) {
      if (!sealed.startsWith(version)) throw new Error(`The record ${place} is not encrypted, but the database is.`);
      const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength });
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagLength));
      const text = decipher.update(bytes.subarray(nonceLength, -tagLength));
      return Buffer.concat([text, decipher.final()]).toString();
    },
  };
}

/**
 * What is stored of a secret, and of an identifier that is one: a code, a refresh token, a cookie. Each has at least 128 random
 * bits, so it needs no slow hash. A plain hash can be looked up in an index.
 */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
