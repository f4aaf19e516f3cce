import { describe, expect, test } from 'vitest';
import { contract } from '../testing/small-world.ts';
import { isSecret, knownVariables, requiredTokens, tokenKinds, tokenVariables } from './variables.ts';

describe('the variables', () => {
  test('name a token for each kind that carries one', () => {
    expect(tokenKinds(contract)).toEqual(['USER', 'GLOBAL', 'OAUTH', 'GOOGLE', 'AZURE', 'OKTA', 'ONELOGIN']);
  });

  test('stand once each', () => {
    const names = knownVariables(contract);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test.each([
    ['USER_TOKEN', 'valid', 'all'],
    ['USER_TOKEN_SEARCH', 'valid', 'only:SEARCH'],
    ['GLOBAL_TOKEN_VERIFICATION', 'valid', 'only:VERIFICATION'],
    ['GLOBAL_TOKEN_ALL_BUT_CHAT', 'valid', 'all-but:CHAT'],
    ['OKTA_TOKEN_UNSCOPED', 'valid', 'none'],
    ['ONELOGIN_TOKEN_EXPIRED', 'expired', 'all'],
    ['USER_TOKEN_EXPIRED_UNSCOPED', 'expired', 'none'],
    ['USER_TOKEN_FUTURE_EXPIRY', 'future-expiry', 'all'],
    ['GOOGLE_TOKEN_FOREIGN', 'foreign', 'all'],
    ['OKTA_TOKEN_CHAT', 'valid', 'only:CHAT'],
  ])('give %s the meaning %s and %s', (name, validity, holding) => {
    const kind = name.split('_')[0];
    expect(tokenVariables(contract).find((variable) => variable.name === name)).toEqual({
      name,
      kind,
      validity,
      holding,
    });
  });

  test.each(['USER_TOKEN_FOREIGN', 'GLOBAL_TOKEN_FOREIGN', 'GLOBAL_TOKEN_ALL_BUT_PINS', 'NONE_TOKEN'])(
    'give %s none',
    (name) => {
      expect(knownVariables(contract)).not.toContain(name);
    },
  );

  test.each([
    ['USER', false, ['', '_SEARCH', '_CHAT', '_UNSCOPED', '_EXPIRED']],
    ['GLOBAL', false, ['', '_SEARCH', '_CHAT', '_UNSCOPED', '_EXPIRED']],
    ['OAUTH', true, ['', '_UNSCOPED', '_EXPIRED']],
    ['OKTA', false, ['', '_UNSCOPED', '_EXPIRED']],
  ])('require of %s, scopes claimed: %s, the tokens %j', (kind, scopes, suffixes) => {
    expect([...requiredTokens(contract, kind, scopes)].sort()).toEqual(
      suffixes.map((suffix) => `${kind}_TOKEN${suffix}`).sort(),
    );
  });

  test('require every scope alone and all but one of a service-issued kind that claims scopes', () => {
    const required = requiredTokens(contract, 'USER', true);
    expect(contract.matrix.scopes.filter((scope) => !required.has(`USER_TOKEN_${scope}`))).toEqual([]);
    expect(required).toContain('USER_TOKEN_ALL_BUT_SEARCH');
    expect(required).toContain('USER_TOKEN_ALL_BUT_CHAT');
    expect(required).not.toContain('USER_TOKEN_FUTURE_EXPIRY');
  });

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
  ])('keep the value of %s from every output: %s', (name, secret) => {
    expect(isSecret(name)).toBe(secret);
  });
});
