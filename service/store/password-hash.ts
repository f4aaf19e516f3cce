import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** What a guess costs: scrypt's `N` as a power of two, `r` and `p` (RFC 7914 2). */
export interface PasswordCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** One of the settings that the OWASP Password Storage Cheat Sheet holds to be enough; the one that takes least memory. */
export const passwordCost: PasswordCost = { ln: 14, r: 8, p: 5 };

/** For passwords of tests, which live shorter than any guess. */
export const cheapPasswordCost: PasswordCost = { ln: 4, r: 8, p: 1 };

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const keyBytes = 32;

/** Salted, and with its cost beside it (PHC string format), so that the cost may be raised and older hashes still be read. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16);
  return written(cost, salt, await keyOf(password, salt, cost));
}

/** @throws when the hash is in no form that this service ever wrote */
export async function passwordMatches(password: string, hash: string): Promise<boolean> {
  const { cost, salt, key } = read(hash);
  return timingSafeEqual(await keyOf(password, salt, cost), key);
}

/** That of no password, for who has none or does not exist: to look at it takes as long. */
export function dummyHash(cost: PasswordCost): string {
  return written(cost, Buffer.alloc(16), Buffer.alloc(keyBytes));
}

function keyOf(password: string, salt: Buffer, { ln, r, p }: PasswordCost): Promise<Buffer> {
  const N = 2 ** ln;
  return derive(password.normalize(), salt, keyBytes, { N, r, p, maxmem: 256 * N * r });
}

function written({ ln, r, p }: PasswordCost, salt: Buffer, key: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** What releases before this form kept as `salt.key` had the cost that is Node's own. */
const earlier = { ln: '14', r: '8', p: '1' };

function read(hash: string): { readonly cost: PasswordCost; readonly salt: Buffer; readonly key: Buffer } {
  const { groups } =
    /^\$scrypt\$ln=(?<ln>\d+),r=(?<r>\d+),p=(?<p>\d+)\$(?<salt>[\w-]+)\$(?<key>[\w-]+)$/.exec(hash) ??
    /^(?<salt>[\w-]+)\.(?<key>[\w-]+)$/.exec(hash) ??
    {};
  if (!groups) throw new Error('A stored password is in no form that is known here. Set it anew.');
  const { ln, r, p, salt = '', key = '' } = { ...earlier, ...groups };
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
}
