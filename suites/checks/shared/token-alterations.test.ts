import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameToken } from '../../../harness/plan/token-bytes.ts';
import { alteredFrom } from './token-alterations.ts';
import { madeFrom } from './token-recipes.ts';

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

test.each([
  ['key_7f_AbCdEfGhIjKl', 'key_8a_MnOpQrStUvWx', ['key_7f_', 'key_7f', 'key_7f_MnOpQrStUvWx']],
  ['key_AbCdEfGh', 'key_IjKlMnOp', ['key_', 'key']],
  ['AbCdEfGhIjKl', 'MnOpQrStUvWx', []],
])('%s is tried without what follows its last separator, and with that of another token', (own, other, wanted) => {
  const made = madeFrom(own, { other, person: undefined, issuer: '' }, 'whole');
  const found = made.filter(({ how }) => how.startsWith('what follows the last separator'));
  expect(found.map((one) => one.token)).toEqual(wanted);
});

test('a shell makes the altered token from the variable', () => {
  const original = 'svc_AbCdEfGhIjKlMnOpQrStUvWxYz0123';
  // Not every machine has a shell that knows `${TOKEN:4:2}`: the characters from 4 on, two of them.
  const expanded = (text = '') =>
    text.replace(/\$\{TOKEN:(\d+)(?::(\d+))?\}/g, (_, from: string, length = '99') =>
      original.slice(+from, +from + Number(length)),
    );
  const altered = [1, 2, 3, 4].flatMap((seed) => alteredFrom(original, seed * 257));
  expect(altered.map(({ shell }) => expanded(shell?.('TOKEN')))).toEqual(altered.map((one) => one.token));
});

test('a token is altered at both ends, in between, and where the seed says', () => {
  const places = (seed: number) => alteredFrom('kK3hB1vQ8zTq7WmEr2DsXa5cYfGuLp0N', seed).map(({ how }) => how);
  const always = [
    'character 1 of 32 changed',
    'character 17 of 32 changed',
    'character 32 of 32 changed',
    'character 9 of 32 swapped with the next',
    'character 25 of 32 swapped with the next',
  ];
  // 500 is half of a thousand, and 2 the remainder of 500 by 3.
  expect(places(500)).toEqual([...always, 'character 17 of 32 swapped with the next', 'character 1 of 32 dropped']);
  expect(places(256_500).slice(0, 5)).toEqual(always);
  // Nothing comes after the last character, and the first two differ in their case only.
  expect(places(2_999)[5]).toBe('character 2 of 32 swapped with the next');
});

test('the dots of a JWT stay where they are', () => {
  expect(alteredFrom('e.eyJhbGciOiJub25lIn0.c2lnbmF0dXJl', 0)[0]?.how).toBe('character 1 of 34 changed');
  const original = 'eyJhbGciOiJub25lIn0.e30.c2lnbmF0dXJl';
  const dotsOf = (text: string) => [...text.matchAll(/\./g)].map(({ index }) => index);
  for (let seed = 0; seed < 300; seed += 1)
    for (const { token: altered, how, isFree } of alteredFrom(original, seed * 257)) {
      const isMoved = how.endsWith('dropped');
      expect(isMoved ? dotsOf(altered).length : dotsOf(altered)).toEqual(isMoved ? 2 : dotsOf(original));
      expect(isFree).toBe(false);
    }
});
