import { expect, test } from 'vitest';
import { leftRows } from './run-figures.ts';
import { latencyRows, limitRows } from './terminal.ts';

const times = { requests: 9, median: 4, percentile95: 31, percentile99: 40, slowest: 1204 };

test('the terminal has the latency of each operation in a row, and says once what the numbers mean', () => {
  const rows = latencyRows([
    { operation: 'search', outcome: 'accepted', ...times },
    { operation: 'search', outcome: 'refused', ...times, slowest: 40 },
    { operation: 'chat', outcome: 'lost', ...times },
  ]);
  expect(rows).toEqual([
    ['latency', 'search 9 accepted in 4 / 31 / 1,204 ms, 9 refused in 4 / 31 / 40 ms (median / 95 % within / slowest)'],
    ['', 'chat 9 lost in 4 / 31 / 1,204 ms'],
  ]);
});

test('the terminal has no latency if the journal has no times', () => {
  expect(latencyRows([])).toEqual([]);
});

test('the terminal has a row for each limit, and says which are exceeded', () => {
  const row = { operation: 'search', requests: 9, measure: 'p95' } as const;
  expect(
    limitRows([
      { ...row, limit: 1_500, took: 1_204, exceeded: false },
      { ...row, operation: 'chat', limit: 30, took: 31, exceeded: true },
      { ...row, operation: 'chat', measure: 'max', limit: 30, took: null, exceeded: false },
    ]),
  ).toEqual([
    ['max latency', 'search p95 1,204 ms, limit 1,500 ms'],
    ['', 'chat p95 31 ms, limit 30 ms: exceeded'],
    ['', 'chat max not measured, limit 30 ms'],
  ]);
  expect(limitRows([])).toEqual([]);
});

// A name that shows a secret is not recorded, so that fewer names are known than things are left.
test.each<[readonly string[], string]>([
  [['c1', 'c2'], 'c1, c2 and 5 more'],
  [['c1', 'c2', 'c3', 'c4'], 'c1, c2, c3 and 4 more'],
  [[], ''],
])('names and the others are as many as what is left on the target: %j', (ids, names) => {
  const [row] = leftRows([{ what: 'conversation', created: 8, removed: 1, ids, reasons: ['no request'] }]);
  expect(row?.names).toBe(names);
});
