import { expect, test } from 'vitest';
import { leftRows } from './run-figures.ts';

// A name that shows a secret is not recorded, so that fewer names are known than things are left.
test.each<[readonly string[], string]>([
  [['c1', 'c2'], 'c1, c2 and 5 more'],
  [['c1', 'c2', 'c3', 'c4'], 'c1, c2, c3 and 4 more'],
  [[], ''],
])('names and the others are as many as what is left on the target: %j', (ids, names) => {
  const [row] = leftRows([{ what: 'conversation', created: 8, removed: 1, ids, reasons: ['no request'] }]);
  expect(row?.names).toBe(names);
});
