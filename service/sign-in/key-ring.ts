import { createLocalJWKSet, errors, type FlattenedVerifyGetKey } from 'jose';
import type { AuthorizationKeys, KeyGeneration } from '../store/authorization-keys.ts';

/** The keys of the authorization server as this process knows them. */
export interface KeyRing {
  /** The newest generation first. The same array as before, if nothing changed. */
  current(): Promise<readonly KeyGeneration[]>;
  /** Finds the public key for the header of a token, for jose. */
  readonly verify: FlattenedVerifyGetKey;
}

export interface KeyRingOptions {
  readonly keys: AuthorizationKeys;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** The age at which the keys rotate, in milliseconds. */
  readonly maxAge: number;
}

/** How long the keys are cached, in milliseconds. Another process may rotate them. */
const cachedFor = 5000;

interface Cached {
  readonly generations: readonly KeyGeneration[];
  readonly find: FlattenedVerifyGetKey;
  readonly since: number;
}

export function createKeyRing({ keys, now, maxAge }: KeyRingOptions): KeyRing {
  let cached: Cached | undefined;
  const read = async (): Promise<Cached> => {
    const since = now();
    await keys.rotate(maxAge, 'by age');
    const generations = await keys.read();
    const same = cached !== undefined && namesOf(cached.generations) === namesOf(generations);
    cached = same && cached ? { ...cached, since } : { generations, find: finder(generations), since };
    return cached;
  };
  const recent = async (): Promise<Cached> => {
    const age = cached ? now() - cached.since : Number.NaN;
    return cached && age >= 0 && age < cachedFor ? cached : read();
  };

  return {
    current: async () => (await recent()).generations,
    verify: async (header, token) => {
      const { find } = await recent();
      try {
        return await find(header, token);
      } catch (error) {
        // The keys may have rotated a moment ago.
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        return (await read()).find(header, token);
      }
    },
  };
}

function namesOf(generations: readonly KeyGeneration[]): string {
  return generations.map(({ id }) => id).join(' ');
}

function finder(generations: readonly KeyGeneration[]): FlattenedVerifyGetKey {
  const keys = generations.map(({ signing: { d: _private, ...publicKey } }) => publicKey);
  return createLocalJWKSet({ keys });
}
