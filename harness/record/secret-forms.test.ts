import { describe, expect, test } from 'vitest';
import { ownParts } from './secret-forms.ts';

const TOKEN = 'f3q8Zk1LmN0pR5sTuV7wXyB2Cd';
const SIGNATURE = 'c2lnbmF0dXJlLW9mLWFub3RoZXIta2V5';

describe('the own parts of a derived secret', () => {
  test.each([
    ['a token with a character changed has none', `${TOKEN.slice(0, 12)}#${TOKEN.slice(13)}`, []],
    ['a token without its last characters has none', TOKEN.slice(0, -4), []],
    ['a token with another signature has the signature', `${TOKEN}${SIGNATURE}`, [SIGNATURE]],
    ['parts on both sides are two', `${SIGNATURE}${TOKEN}${SIGNATURE}`, [SIGNATURE, SIGNATURE]],
    ['words of JSON around it are no parts', `{"protected":"${TOKEN}","signature":"${TOKEN}"}`, []],
    ['quotes of JSON divide parts', `{"${TOKEN}${SIGNATURE}":"","protected":"${TOKEN}"}`, [SIGNATURE]],
    ['a signature of zeros is no part', `${TOKEN}.${'A'.repeat(43)}`, []],
    ['a token in another case is all its own', TOKEN.toLowerCase(), [TOKEN.toLowerCase()]],
    [
      'a run that is too short to be known is its own',
      `${TOKEN.slice(0, 11)}${SIGNATURE}`,
      [`${TOKEN.slice(0, 11)}${SIGNATURE}`],
    ],
  ])('%s', (_what, derived, parts) => {
    expect(ownParts(derived, TOKEN)).toEqual(parts);
  });
});
