import { expect, test } from 'vitest';
import { valueAt } from './json-value.ts';

test('who is shown at a pointer is a name, nobody where it is null, and unknown where nothing is there', () => {
  const text = JSON.stringify({ users: [{ 'who/is': 'uma', id: 7, boss: null }] });
  const shown = ['/users/0/who~1is', '/users/0/id', '/users/0/boss', '/users/1/id'].map((at) => valueAt(text, at));
  expect(shown).toEqual(['uma', '7', '', undefined]);
});
