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

function parse(hash: string): { readonly cost: PasswordCost; readonly salt: Buffer; readonly key: Buffer } {
  const { groups } =
    /^\$scrypt\$ln=(?<ln>\d+),r=(?<r>\d+),p=(?<p>\d+)\$(?<salt>[\w-]+)\$(?<key>[\w-]+)$/.exec(hash) ?? {};
  if (!groups) throw new Error('A stored password hash has an unknown format. Set the password again.');
  const { ln, r, p, salt = '', key = '' } = groups;
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
}

/** Who sends a password: a browser that signed in as that person before, or a stranger at an address. */
export interface Sender {
  readonly isKnown: boolean;
  /** The person, or the address. */
  readonly name: string;
}

/** Fewer than the threads of the pool (four by default), which the whole service shares. */
const atOnce = 2;
/** Of one sender. With the default cost of a password, the last one waits about two seconds. */
const mayWait = 16;
/** Of all known senders, and of all strangers. */
const placesOfLane = 64;

/**
 * Limits the passwords that are checked at once. Checking one is slow on purpose, and anyone can send passwords. So that a few
 * senders keep nobody else from signing in, senders take turns, and so do known ones and strangers.
 *
 * @returns a function that runs the work when it is its turn, and returns undefined, without running it, when too many wait
 */
export function createPasswordQueue() {
  let running = 0;
  const [known, strangers] = [createLane(), createLane()];
  const lanes = [known, strangers];

  return async <T>({ isKnown, name }: Sender, work: () => Promise<T>): Promise<T | undefined> => {
    if (running < atOnce) running += 1;
    else if (!(await (isKnown ? known : strangers).wait(name))) return undefined;
    try {
      return await work();
    } finally {
      // The next one takes this place.
      if (!lanes.some((lane) => lane.next())) running -= 1;
      lanes.reverse();
    }
  };
}

function createLane() {
  /** The senders, in the order of their turns, with what tells each attempt that it may go on, or that it may not. */
  const waiting = new Map<string, ((goesOn: boolean) => void)[]>();
  let size = 0;
  return {
    /** Waits for its turn. False: too many wait. */
    async wait(name: string): Promise<boolean> {
      const own = waiting.get(name) ?? [];
      if (own.length >= mayWait) return false;
      if (size >= placesOfLane) {
        const [most = []] = [...waiting.values()].sort((one, other) => other.length - one.length);
        if (most.length <= own.length + 1) return false;
        most.pop()?.(false);
        size -= 1;
      }
      size += 1;
      return new Promise((turn) => waiting.set(name, [...own, turn]));
    },
    /** Lets the next one go on. False: nobody waits. */
    next(): boolean {
      const [first] = waiting;
      if (!first) return false;
      const [name, [turn, ...others]] = first;
      waiting.delete(name);
      if (others.length > 0) waiting.set(name, others);
      size -= 1;
      turn?.(true);
      return true;
    },
  };
}
