import { expect, test } from 'vitest';
import { explain, tellingErrors } from './schema-errors.ts';
import { validatorOf } from './validator.ts';

const RIGHT = {
  name: 'small',
  credential: 'X-Api-Key: {token}',
  operations: { me: { request: 'GET /me' } },
  kinds: { KEY: { made: 'somewhere' } },
};

/** What is said of a contract with this change. */
function said(change: object): readonly string[] {
  const validate = validatorOf('contract');
  validate({ ...RIGHT, ...change });
  return tellingErrors(validate.errors ?? []).map(explain);
}

test('a contract without a mistake has no errors', () => {
  expect(said({})).toEqual([]);
});

test.each<[string, object, string]>([
  ['an empty mapping', { scopes: {} }, '/scopes is empty, wanted keys, at least 1'],
  ['an empty list', { alternatives: [] }, '/alternatives is an empty list, wanted a list of at least 1'],
  ['a list with an entry twice', { alternatives: ['A', 'A'] }, '/alternatives has the same entry twice'],
  [
    'a number that is too small',
    { operations: { me: { request: 'GET /me', success: 100 } } },
    '/operations/me/success is 100, wanted at least 200',
  ],
  [
    'a key that no alternative has, by an example of each',
    { credential: { header: 'X' } },
    '/credential has the keys header, wanted something such as Authorization: Bearer {token} or X-Api-Key: {token} or Cookie: session={token} or {"query":"access_token"}',
  ],
  [
    'a misspelt key of an alternative',
    { credential: { qery: 'a' } },
    '/credential has the unknown key "qery"; did you mean query?',
  ],
])('says of %s', (_what, change, message) => {
  expect(said(change)).toEqual([message]);
});

test.each<[string, object]>([
  ['one of several scopes', { operations: { me: { request: 'GET /me', needs: 'read|write' } } }],
  ['two scopes in a text', { operations: { me: { request: 'GET /me', needs: 'read, write' } } }],
  ['a part of a path that nobody filled', { operations: { me: { request: 'GET /people/:id' } } }],
])('refuses %s, and says what is wanted', (_what, change) => {
  expect(said(change)).toEqual([expect.stringMatching(/wanted a text such as .+: .+/)]);
});

test('a colon inside of a part of a path is sent', () => {
  expect(said({ operations: { me: { request: 'POST /people/7:find', harmless: true } } })).toEqual([]);
});
