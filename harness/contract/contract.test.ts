import { expect, test } from 'vitest';
import { rowsOf, tableOf } from './table.ts';

test.each([
  [[]],
  [[['search', 'USER']]],
  [
    [
      ['search', 'USER', ''],
      ['chat', 'USER', '-'],
      ['search', 'GLOBAL', '-'],
    ],
  ],
])('a table has the rows that it was made of: %j', (rows) => {
  expect(rowsOf(tableOf(rows))).toEqual(rows);
});

test('a table has each text of a column once', () => {
  const rows = [
    ['search', 'USER'],
    ['search', 'GLOBAL'],
    ['chat', 'USER'],
  ];
  expect(tableOf(rows)).toEqual({
    columns: [
      ['search', 'chat'],
      ['USER', 'GLOBAL'],
    ],
    rows: [
      [0, 0],
      [0, 1],
      [1, 0],
    ],
  });
});
