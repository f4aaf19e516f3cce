import { expect, test } from 'vitest';
import { latencyRows } from './terminal-latency.ts';

const times = { requests: 9, median: 4, percentile95: 31, slowest: 1204 };

test('the terminal has the latency of each operation in a row, and says once what the numbers mean', () => {
  const rows = latencyRows([
    { operation: 'search', outcome: 'accepted', ...times },
    { operation: 'search', outcome: 'refused', ...times, slowest: 40 },
    { operation: 'chat', outcome: 'lost', ...times },
  ]);
  expect(rows).toEqual([
    ['latency', 'search accepted 4 / 31 / 1,204 ms, refused 4 / 31 / 40 ms (median / 95 % within / slowest)'],
    ['', 'chat lost 4 / 31 / 1,204 ms'],
  ]);
});

test('the terminal has no latency if the journal has no times', () => {
  expect(latencyRows([])).toEqual([]);
});
