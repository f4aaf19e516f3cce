import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { tamperAt } from './tamper.ts';
import { isSameToken, isSpelledAlike } from './token-bytes.ts';

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
