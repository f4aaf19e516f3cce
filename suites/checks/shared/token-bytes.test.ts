import { expect, test } from 'vitest';
import { isSameToken } from './token-bytes.ts';

const token = Buffer.from('twenty-four bytes token!').toString('base64url');

test.each([
  ['an appended character that encodes less than a byte', token, `${token}A`, true],
  ['padding', token, `${token}==`, true],
  ['an appended character after a prefix', `key_${token}`, `key_${token}A`, true],
  ['hexadecimal digits in another case', 'key_00ffab', 'key_00FFAB', true],
  ['a dropped character', token, token.slice(0, -1), false],
  ['a letter in another case', token, token.replace(/[a-z]/, (letter) => letter.toUpperCase()), false],
  ['another prefix', `key_${token}`, `kez_${token}`, false],
])('%s', (_what, original, changed, same) => {
  expect(isSameToken(original, changed)).toBe(same);
});
