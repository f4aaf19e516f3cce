import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The cost parameters of scrypt (RFC 7914 2). `ln` is the binary logarithm of `N`. */
export interface PasswordCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** A setting that the OWASP Password Storage Cheat Sheet recommends, with little memory (16 MiB). */
export const passwordCost: PasswordCost = { ln: 14, r: 8, p: 5 };

/** For the passwords of tests only. */
export const cheapPasswordCost: PasswordCost = { ln: 4, r: 8, p: 1 };

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const keyBytes = 32;

/**
 * Hashes a password with a random salt. The hash contains its cost (PHC string format), so that a later release can raise the
 * cost and still read older hashes.
 */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16);
  return format(cost, salt, await keyOf(password, salt, cost));
}

/** @throws when the hash has no format that this service ever wrote */
export async function passwordMatches(password: string, hash: string): Promise<boolean> {
  const { cost, salt, key } = parse(hash);
  return timingSafeEqual(await keyOf(password, salt, cost), key);
}

/** Whether a hash took less work or memory than this cost. */
export function isOutdated(hash: string, cost: PasswordCost): boolean {
  const { cost: old } = parse(hash);
  return old.ln < cost.ln || old.r < cost.r || old.p < cost.p;
}

/** A hash that no password matches. Checking it takes as long as checking the hash of a real person. */
export function dummyHash(cost: PasswordCost): string {
  return format(cost, Buffer.alloc(16), Buffer.alloc(keyBytes));
}

function keyOf(password: string, salt: Buffer, { ln, r, p }: PasswordCost): Promise<Buffer> {
  const N = 2 ** ln;
  return derive(password.normalize(), salt, keyBytes, { N, r, p, maxmem: 256 * N * r });
}

function format({ ln, r, p }: PasswordCost, salt: Buffer, key: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** Earlier releases wrote `salt.key` without a cost. They used the default cost of Node. */
const legacyCost = { ln: '14', r: '8', p: '1' };

function parse(hash: string): { readonly cost: PasswordCost; readonly salt: Buffer; readonly key: Buffer } {
  const { groups } =
    /^\$scrypt\$ln=(?<ln>\d+),r=(?<r>\d+),p=(?<p>\d+)\$(?<salt>[\w-]+)\$(?<key>[\w-]+)$/.exec(hash) ??
    /^(?<salt>[\w-]+)\.(?<key>[\w-]+)$/.exec(hash) ??
    {};
  if (!groups) throw new Error('A stored password hash has an unknown format. Set the password again.');
  const { ln, r, p, salt = '', key = '' } = { ...legacyCost, ...groups };
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
}
