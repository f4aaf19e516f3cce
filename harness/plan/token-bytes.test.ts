import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isJwt, isSameToken, isSpelledAlike, tamperAt, tamperMiddle } from './token-bytes.ts';

const token = Buffer.from('twenty-four bytes token!').toString('base64url');
const UUID = '9c5b94b1-35ad-49bb-b118-8e8fc24abf80';

test.each([
  ['an appended character that encodes less than a byte', token, `${token}A`, true],
  ['padding', token, `${token}==`, true],
  ['an appended character after a prefix', `key_${token}`, `key_${token}A`, true],
  ['hexadecimal digits in another case', 'key_00ffab', 'key_00FFAB', true],
  ['a dropped character', token, token.slice(0, -1), false],
  ['a letter in another case', token, token.replace(/[a-z]/, (letter) => letter.toUpperCase()), true],
  ['a dropped digit of hexadecimal', '00ffab12', '00ffab1', false],
  ['an appended digit of hexadecimal', '00ffab12', '00ffab12a', true],
  ['a last digit of base32 that encodes less than a byte', 'key_mzxw6ytbaa', 'key_mzxw6ytbab', true],
  ['a last digit of base32 that encodes more', 'key_mzxw6ytbaa', 'key_mzxw6ytbai', false],
  ["Crockford's digits that look alike", 'ABCDE-10FGH', 'abcde-loFGH', true],
  ['the first bits of a ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '81ARZ3NDEKTSV4RRFFQ69G5FAV', true],
  ['the first digit of a ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '11ARZ3NDEKTSV4RRFFQ69G5FAV', false],
  ['a UUID without hyphens', UUID, UUID.replaceAll('-', ''), true],
  ['a UUID with another digit', UUID, UUID.replace('9', '8'), false],
  ['another prefix', `key_${token}`, `kez_${token}`, false],
])('%s', (_what, original, changed, same) => {
  expect(isSameToken(original, changed)).toBe(same);
});

test.each([
  ['letters in another case', 'abC-1', 'ABc-1', true],
  ['no hyphens', 'ab-C-1', 'abC1', true],
  ['underscores instead of hyphens', 'ab-C_1', 'ab_C_1', true],
  ['another letter', 'ab-C-1', 'ab-D-1', false],
])('%s: only the spelling differs: %s, %s', (_what, original, changed, alike) => {
  expect(isSpelledAlike(original, changed)).toBe(alike);
});

test('the last character of every token of 32 bytes in base64url, after a prefix, can be changed to another token', () => {
  const tokens = Array.from(
    { length: 500 },
    (_, seed) => `svc_${createHash('sha256').update(`${seed}`).digest('base64url')}`,
  );
  const same = tokens.filter((one) => isSameToken(one, tamperAt(one, one.length - 1).token));
  expect(same).toEqual([]);
});

const digest = (name: string | number) => createHash('sha256').update(String(name)).digest();
const jwt = (signature: Buffer) =>
  ['{"alg":"ES256"}', `{"sub":"${'uma'.repeat(40)}"}`, signature]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
const decode = (token: string) => Buffer.from(token, 'base64url').toString('hex');

// One base64url token of each length modulo 4; their last characters carry 6, 4 and 2 bits.
const tokens = Array.from({ length: 30 }, (_, index) =>
  digest(index)
    .subarray(0, 28 + (index % 3))
    .toString('base64url'),
);

describe('a tampered token', () => {
  test.each(tokens)('of base64url decodes to other bytes, whichever character changes: %s', (token) => {
    for (let at = 0; at < token.length; at += 1) {
      const tampered = tamperAt(token, at).token;
      expect(decode(tampered), `character ${at + 1} of ${token}`).not.toBe(decode(token));
      expect(tampered).toHaveLength(token.length);
      expect([...tampered].filter((character, index) => character !== token[index])).toHaveLength(1);
      expect([...tampered].filter((character) => !token.includes(character))).toEqual([]);
    }
  });

  test.each([
    ['lower case', digest('a').toString('hex')],
    ['upper case', digest('b').toString('hex').toUpperCase()],
  ])('of hex in %s stays hex of that case and decodes to other bytes', (_case, token) => {
    for (let at = 0; at < token.length; at += 1) {
      const tampered = tamperAt(token, at).token;
      expect(tampered.toLowerCase()).not.toBe(token.toLowerCase());
      expect([...tampered].filter((character) => !token.includes(character))).toEqual([]);
    }
  });

  test.each(tokens.slice(0, 9))('keeps the header and payload of a JWT and changes its signature: %s', (seed) => {
    const token = jwt(digest(seed));
    const [header, payload, signature = ''] = token.split('.');
    const tampered = tamperMiddle(token).token.split('.');
    expect(tampered.slice(0, 2)).toEqual([header, payload]);
    expect(decode(tampered[2] ?? '')).not.toBe(decode(signature));
    expect(tampered[2]).toHaveLength(signature.length);
  });

  test('says how it was made without showing the token', () => {
    const [token = ''] = tokens;
    const { how } = tamperAt(token, 4);
    expect(how).toBe(`character 5 of ${token.length} changed`);
    expect(tamperMiddle(token).how).toContain(`character ${Math.floor(token.length / 2) + 1} of`);
  });

  test.each(['A', 'a', 'aaaa', 'AAAA', '7', 'ab', 'aAbB', 'a-b_c', 'svc_0123456789abcdef', 'tok.with.dots.in.it'])(
    'differs from an unusual token by more than the case of a letter: %s',
    (token) => {
      for (const tampered of [tamperMiddle(token).token, tamperAt(token, 0).token]) {
        expect(tampered.toLowerCase()).not.toBe(token.toLowerCase());
        expect(tampered).toHaveLength(token.length);
      }
    },
  );
});

test.each([
  ['abc.def', 4],
  ['abcd==', 3],
  ['tok_-_en', 6],
  ['a-----', 0],
])('the middle of a token is a letter or digit, not a separator or padding: %s', (token, at) => {
  const tampered = tamperMiddle(token);
  const changed = [...tampered.token].flatMap((character, index) => (character === token[index] ? [] : [index]));
  expect(changed).toEqual([at]);
  expect(tampered.how).toBe(`character ${at + 1} of ${token.length} changed`);
});

test('a position outside the token means its nearest end', () => {
  expect(tamperAt('abc', 9).how).toBe('character 3 of 3 changed');
  expect(tamperAt('abc', -9).how).toBe('character 1 of 3 changed');
});

test.each([
  [jwt(digest('x')), true],
  [`${Buffer.from('{}').toString('base64url')}.e30.`, false],
  [`${Buffer.from('"text"').toString('base64url')}.e30.c2ln`, false],
  ['abc.def.ghi', false],
  ['e30.e30.e30.e30', false],
  [tokens[0] ?? '', false],
])('a JWT is recognized by its parts: %s is a JWT: %s', (token, expected) => {
  expect(isJwt(token)).toBe(expected);
});
