import { expect, test } from 'vitest';
import { closestName, didYouMean } from './configuration-error.ts';

const known = ['USER_TOKEN', 'USER_TOKEN_SEARCH', 'TARGET_BASE_URL', 'OAUTH_TOKEN'];

test.each([
  ['USER_TOKN', 'USER_TOKEN'],
  ['USER_TOKN_SEARCH', 'USER_TOKEN_SEARCH'],
  ['user_token', 'USER_TOKEN'],
  ['TARGET_URL', undefined],
  ['TARGET_BASEURL', 'TARGET_BASE_URL'],
  ['PATH', undefined],
  ['X', undefined],
])('the name closest to %s is %s', (name, closest) => {
  expect(closestName(name, known)).toBe(closest);
});

test('no name is close if no name is known', () => {
  expect(closestName('USER_TOKEN', [])).toBeUndefined();
});

test('an error message asks only about a name that is close', () => {
  expect(didYouMean('USER_TOKN', known)).toBe('; did you mean USER_TOKEN?');
  expect(didYouMean('HOME', known)).toBe('');
});
