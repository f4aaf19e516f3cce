import { describe, expect, test } from 'vitest';
import { ENDINGS } from '../judge/ending.ts';
import type { Latency } from './latency.ts';
import { endWithLimits, measuredLimits } from './latency-limits.ts';

const times = { requests: 9, median: 100, percentile95: 500, percentile99: 900, slowest: 1_204 };
const latency: readonly Latency[] = [
  { operation: 'search', outcome: 'accepted', ...times },
  { operation: 'search', outcome: 'refused', ...times, median: 9_000, percentile95: 9_000, slowest: 9_000 },
  { operation: 'chat', outcome: 'accepted', ...times, percentile95: 4_000 },
  { operation: 'mcp-tools-call', outcome: 'lost', ...times },
];
const row = { requests: 9, exceeded: false };

describe('a limit', () => {
  test('is compared with the accepted requests to each operation, and exceeded only by more', () => {
    expect(measuredLimits([{ measure: 'p95', ms: 500 }], latency)).toEqual([
      { operation: 'search', measure: 'p95', limit: 500, took: 500, ...row },
      { operation: 'chat', measure: 'p95', limit: 500, took: 4_000, requests: 9, exceeded: true },
    ]);
  });

  test.each([
    ['p50', 100],
    ['p95', 500],
    ['p99', 900],
    ['max', 1_204],
  ] as const)('of %s is about %d ms here', (measure, took) => {
    expect(measuredLimits([{ operation: 'search', measure, ms: 5_000 }], latency)).toEqual([
      { operation: 'search', measure, limit: 5_000, took, ...row },
    ]);
  });

  test('of one operation stands in for the general one of the same measure', () => {
    const limits = [
      { measure: 'p95', ms: 500 },
      { operation: 'chat', measure: 'p95', ms: 5_000 },
      { measure: 'max', ms: 2_000 },
    ] as const;
    expect(measuredLimits(limits, latency).map(({ operation, measure, limit }) => [operation, measure, limit])).toEqual(
      [
        ['search', 'p95', 500],
        ['chat', 'p95', 5_000],
        ['search', 'max', 2_000],
        ['chat', 'max', 2_000],
      ],
    );
  });

  test('of an operation without an accepted request is not measured, and not exceeded', () => {
    expect(measuredLimits([{ operation: 'mcp-tools-call', measure: 'max', ms: 1 }], latency)).toEqual([
      { operation: 'mcp-tools-call', measure: 'max', limit: 1, took: null, requests: 0, exceeded: false },
    ]);
  });
});

describe('a run that exceeds a limit', () => {
  const exceeded = measuredLimits([{ operation: 'search', measure: 'max', ms: 1_000 }], latency);
  const endOf = (ending: (typeof ENDINGS)[number]) => ({ ending, line: `${ending} in words`, exitCode: 7 });

  test.each(['conforms', 'conforms-except', 'partial', 'incomplete'] as const)(
    'is too slow if the contract says %s, and still says so',
    (ending) => {
      expect(endWithLimits(endOf(ending), exceeded)).toEqual({
        ending: 'too-slow',
        line: `too slow: search max 1,204 ms, limit 1,000 ms; otherwise ${ending} in words`,
        exitCode: 1,
        byContract: endOf(ending),
      });
    },
  );

  test.each(['deviates', 'inconclusive'] as const)('ends as before if the contract says %s', (ending) => {
    expect(endWithLimits(endOf(ending), exceeded)).toEqual({ ...endOf(ending), byContract: endOf(ending) });
  });

  test.each(ENDINGS)('is the only one that may end otherwise: %s', (ending) => {
    const met = measuredLimits([{ measure: 'max', ms: 5_000 }], latency);
    for (const limits of [[], met])
      expect(endWithLimits(endOf(ending), limits)).toEqual({ ...endOf(ending), byContract: endOf(ending) });
  });
});
