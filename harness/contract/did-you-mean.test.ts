import { expect, test } from 'vitest';
import { didYouMean, likely } from './did-you-mean.ts';

const known = ['USER_TOKEN', 'USER_TOKEN_SEARCH', 'TARGET_BASE_URL', 'OAUTH_TOKEN'];

test.each([
  ['USER_TOKN', 'USER_TOKEN'],
  ['USER_TOKN_SEARCH', 'USER_TOKEN_SEARCH'],
  ['user_token', 'USER_TOKEN'],
  ['TARGET_URL', undefined],
  ['TARGET_BASEURL', 'TARGET_BASE_URL'],
  ['PATH', undefined],
  ['X', undefined],
])('%s most likely means %s', (name, meant) => {
  expect(likely(name, known)).toBe(meant);
});

test('nothing is likely where nothing is known', () => {
  expect(likely('USER_TOKEN', [])).toBeUndefined();
});

test('an error message ends with the question, or with nothing', () => {
  expect(didYouMean('USER_TOKN', known)).toBe('; did you mean USER_TOKEN?');
  expect(didYouMean('HOME', known)).toBe('');
});
