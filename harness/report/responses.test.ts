import { expect, test } from 'vitest';
import { answer } from '../testing/small-world.ts';
import { responseTable } from './responses.ts';

test('the table has each response once, whatever took how long', () => {
  const table = responseTable();
  const indices = [answer(401, 'no'), answer(403, 'no'), answer(401, 'no')].map((one) => table.indexOf(one));
  expect(indices).toEqual([0, 1, 0]);
  expect(table.rows.map((row) => row.kind === 'answer' && row.status)).toEqual([401, 403]);
});

test('a full table still knows what it has', () => {
  const table = responseTable(500);
  const of = (text: string) => table.indexOf(answer(401, text));
  expect([of('no'), of('x'.repeat(500)), of('no')]).toEqual([0, undefined, 0]);
});
