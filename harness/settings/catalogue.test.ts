import { describe, expect, test } from 'vitest';
import { isPerson } from '../contract/people.ts';
import { everyVariable } from '../preview/made-up-values.ts';
import { read } from '../testing/small-contract.ts';
import { catalogue, contract } from '../testing/small-world.ts';
import { catalogueOf } from './catalogue.ts';
import { isSecret } from './variables.ts';

describe('the catalogue of variables', () => {
  test('lists the kinds that have tokens', () => {
    expect(catalogue.kinds).toEqual(['USER', 'GLOBAL', 'OAUTH', 'GOOGLE', 'AZURE', 'OKTA', 'ONELOGIN']);
  });

  test('lists every name once', () => {
    const names = catalogue.names;
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
  ])('defines %s as %s, with the holding %s', (name, validity, holding) => {
    const kind = name.split('_')[0];
    const use = { kind: kind ?? '', validity, holding };
    expect(catalogue.tokens.find((token) => token.name === name)).toEqual({ name, ...use });
    expect(catalogue.supplying(use)).toBe(name);
  });

  test.each(['USER_TOKEN_FOREIGN', 'GLOBAL_TOKEN_FOREIGN', 'GLOBAL_TOKEN_ALL_BUT_PINS', 'NONE_TOKEN'])(
    'does not define %s',
    (name) => {
      expect(catalogue.names).not.toContain(name);
    },
  );

  test.each([
    ['USER', false, ['', '_SEARCH', '_CHAT', '_UNSCOPED', '_EXPIRED']],
    ['GLOBAL', false, ['', '_SEARCH', '_CHAT', '_UNSCOPED', '_EXPIRED']],
    ['OAUTH', true, ['', '_UNSCOPED', '_EXPIRED']],
    ['OKTA', false, ['', '_EXPIRED']],
  ])('for %s, with scopes claimed: %s, requires the tokens %j', (kind, scopes, suffixes) => {
    expect([...catalogue.required(kind, scopes)].sort()).toEqual(
      suffixes.map((suffix) => `${kind}_TOKEN${suffix}`).sort(),
    );
  });

  test('requires single-scope and all-but tokens of a service-issued kind if scopes are claimed', () => {
    const required = new Set(catalogue.required('USER', true));
    expect(contract.matrix.scopes.filter((scope) => !required.has(`USER_TOKEN_${scope}`))).toEqual([]);
    expect(required).toContain('USER_TOKEN_ALL_BUT_SEARCH');
    expect(required).toContain('USER_TOKEN_ALL_BUT_CHAT');
    expect(required).not.toContain('USER_TOKEN_FUTURE_EXPIRY');
  });
});

test('a token whose scope is called like a variable of another thing is a token', async () => {
  const operations = 'operations: { list: { request: GET /list, needs: [user-email, card-issuer] } }';
  const own = catalogueOf(await read({ operations }));
  const people = own.names.filter((name) => isPerson(own.contract, name));
  expect(people).toEqual(['ACT_AS_EMAIL', 'USER_EMAIL', 'UNKNOWN_EMAIL', 'FORMER_EMAIL', 'KEY_EMAIL']);
  const values = everyVariable(own);
  const tokens = own.tokens.map(({ name }) => values[name] ?? '');
  expect(new Set(tokens).size).toBe(own.tokens.length);
  expect(tokens.filter((token) => /[@:]/.test(token))).toEqual([]);
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
])('the value of %s is secret: %s', (name, secret) => {
  expect(isSecret(contract, name)).toBe(secret);
});
