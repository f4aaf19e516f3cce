import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

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
