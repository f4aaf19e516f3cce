import { expect, test } from 'vitest';
import { withOtherParts } from './token-parts.ts';

const people = ['uma@people.example', 'ada@people.example'];
const SECRET = 'k9QwErTy7UiOp3AsDf5GhJ4L';
const encoded = (text: string, encoding: 'base64' | 'base64url' = 'base64url') => Buffer.from(text).toString(encoding);
const made = (token: string, tokens: readonly string[] = [], breadth: 'whole' | 'telling' = 'whole') =>
  withOtherParts(token, { tokens, people }, breadth).map((one) => one.token);

test.each([
  ['the address of a person', `uma@people.example/${SECRET}`, `ada@people.example/${SECRET}`, []],
  ['the number of a person', `101-${SECRET}`, `102-${SECRET}`, []],
  ['a time', `${SECRET}.2000000000`, `${SECRET}.1999999999`, []],
  [
    'an address in base64',
    encoded(`uma@people.example:${SECRET}`, 'base64'),
    encoded(`ada@people.example:${SECRET}`, 'base64'),
    [],
  ],
  [
    'a claim in a part that is base64',
    `${encoded('{"id":7,"email":"uma@people.example"}')}.${SECRET}`,
    `${encoded('{"id":7,"email":"ada@people.example"}')}.${SECRET}`,
    [],
  ],
  ['its kind', `usr_ab12_${SECRET}`, `gbl_ab12_${SECRET}`, ['gbl_cd34_another']],
  ['its scopes', `usr.ALL.${SECRET}`, `usr.SEARCH.${SECRET}`, ['usr.SEARCH.another']],
  ['its end, which others write in words', `never.${SECRET}`, `2000000000.${SECRET}`, ['2000000000.another']],
])('a token says something else, and keeps its secret: %s', (_what, token, other, tokens) => {
  expect(made(token, tokens)).toContain(other);
});

test('a name and a password get the passwords that a wrong comparison takes', () => {
  const token = encoded('uma:Kr52-tulpe', 'base64');
  const wanted = ['uma:', 'uma:uma', 'uma:KR52-TULPE'].map((text) => encoded(text, 'base64'));
  const ofBasic = withOtherParts(token, { tokens: [], people, isBasic: true }, 'telling');
  expect(ofBasic.map((one) => one.token)).toEqual(wanted);
  expect(made(token, [], 'telling')).toEqual(wanted.slice(0, 2));
});

test('a token that says nothing keeps all its parts', () => {
  expect(made(SECRET)).toEqual([]);
  expect(made(`key_${SECRET}`, ['key_zZ9xXcVbNm8AsDfGhJkL1QwE', 'plain'])).toEqual([]);
});

test('none is another valid token, or the same one, or a JWT', () => {
  const others = [`gbl_${SECRET}`, 'usr_another'];
  expect(made(`usr_${SECRET}`, others)).toEqual([]);
  const jwt = `${encoded('{"alg":"none"}')}.${encoded('{"sub":"101"}')}.${SECRET}`;
  expect(made(jwt)).toEqual([]);
});

test('a target on another machine gets three of them, and their words name none of the parts', () => {
  const tokens = ['ada@people.example/1/x', 'eve@people.example/2/y', 'bob@people.example/3/z'];
  const token = `uma@people.example/90/${SECRET}`;
  expect(made(token, tokens, 'telling')).toEqual(
    ['ada@people.example/90/', 'uma@people.example/91/', 'uma@people.example/89/'].map((part) => part + SECRET),
  );
  const all = withOtherParts(token, { tokens, people }, 'whole').map(({ how }) => how);
  expect(all.length).toBeGreaterThan(3);
  expect(all.join(' ')).not.toMatch(/ada|eve|bob|@/);
});
