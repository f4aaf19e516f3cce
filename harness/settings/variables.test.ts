import { expect, test } from 'vitest';
import { isSecret } from './variables.ts';

test.each([
  ['USER_TOKEN', true],
  ['GLOBAL_TOKEN_ALL_BUT_CHAT', true],
  ['ACT_AS_EMAIL', true],
  ['UNKNOWN_EMAIL', true],
  ['OKTA_EMAIL', true],
  ['USER_PRIVATE_QUERY', true],
  ['ACT_AS_PRIVATE_MARKER', true],
  ['CONFORMANCE_EXTRA_HEADERS', true],
  ['TOKEN_COMMAND', false],
  ['ADMINISTRATION_COMMAND', false],
  ['TARGET_BASE_URL', false],
  ['CONFORMANCE_DEPTH', false],
])('the value of %s is kept from every output: %s', (name, secret) => {
  expect(isSecret(name)).toBe(secret);
});
