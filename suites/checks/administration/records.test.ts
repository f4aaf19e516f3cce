import { expect, test } from 'vitest';
import { contract } from '../../../harness/testing/contract.ts';
import { unlikeAsked } from './records.ts';
import type { MadeToken, TokenMaker } from './token-maker.ts';

const TERMS = { permission: 'USER', scopes: ['SEARCH', 'CHAT'], expires: '2027-01-03' };

/** What the record of one token that was asked for with these terms shows, by the requirement that it breaks. */
const broken = (token: Partial<MadeToken['token']>, actor: MadeToken['actor'] = 'super-admin') =>
  unlikeAsked({ api: { contract }, made: [{ actor, terms: TERMS, token }] } as unknown as TokenMaker).map(
    ({ requirement }) => requirement,
  );

test.each([
  ['another permission', { permission: 'GLOBAL' }, ['administration.permission']],
  ['fewer scopes', { scopes: ['SEARCH'] }, ['administration.scopes']],
  ['more scopes', { scopes: ['SEARCH', 'CHAT', 'MCP'] }, ['administration.scopes']],
  ['a later date', { expires: '2027-10-30' }, ['administration.expires']],
  ['an earlier date', { expires: '2026-12-30T00:00:00Z' }, ['administration.expires']],
  [
    'two of them',
    { permission: 'GLOBAL', expires: '2028-01-03' },
    ['administration.permission', 'administration.expires'],
  ],
])('a record with %s than was asked for is a failure', (_what, token, wanted) => {
  expect(broken(token)).toEqual(wanted);
});

test.each([
  ['what was asked for, in another order', { ...TERMS, scopes: ['CHAT', 'SEARCH'] }],
  ['nothing', {}],
  ['no scopes', { scopes: [] }],
  ['words of its own', { permission: 'Personal', scopes: ['Search and chat'], expires: 'in five weeks' }],
  ['the end of the day after, elsewhere', { expires: '2027-01-05T00:00:00+14:00' }],
  ['the day in another order', { expires: '03/01/2027' }],
  ['the day as a number', { expires: '1798934400' }],
])('a record with %s says nothing', (_what, token) => {
  expect(broken(token)).toEqual([]);
});

test('a token that somebody else requested may have what that person may have', () => {
  expect(broken({ permission: 'GLOBAL' }, 'admin')).toEqual([]);
});

test('a token that somebody else requested has no more than was asked for', () => {
  expect(broken({ scopes: ['SEARCH'], expires: '2026-12-01' }, 'admin')).toEqual([]);
  expect(broken({ scopes: ['SEARCH', 'MCP'], expires: '2027-12-01' }, 'admin')).toEqual([
    'administration.scopes',
    'administration.expires',
  ]);
});

test('a record without the date that was asked for is a failure if another one shows its date', () => {
  const madeWith = (...tokens: readonly Partial<MadeToken['token']>[]) =>
    tokens.map((token) => ({ actor: 'super-admin', terms: TERMS, token }));
  const found = (made: unknown) => unlikeAsked({ api: { contract }, made } as TokenMaker).map((one) => one.requirement);
  expect(found(madeWith({ expires: '2027-01-03' }, {}))).toEqual(['administration.expires']);
  expect(found(madeWith({}, {}))).toEqual([]);
});
