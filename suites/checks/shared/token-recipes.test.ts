import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameToken } from '../../../harness/plan/token-bytes.ts';
import { alteredFrom } from './token-recipes.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const part = (minLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength: minLength + 2 });
const token = fc.oneof(
  part(43).map((text) => `svc_${text}`),
  fc.tuple(part(40), part(86)).map(([payload, signature]) => `eyJhbGciOiJFUzI1NiJ9.${payload}.${signature}`),
  // Neighbours are often the same.
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 24, maxLength: 26 }).map((text) => `c${text}d`),
);

test('of any token, with any seed, as many others are made, and no two of them are the same', () => {
  fc.assert(
    fc.property(token, fc.integer(), (original, seed) => {
      const made = alteredFrom(original, seed).map((one) => one.token);
      expect(new Set(made).size).toBe(7);
      expect(made.filter((one) => isSameToken(original, one))).toEqual([]);
    }),
    { seed: 20261126, numRuns: 2_000 },
  );
});
