import { describe, expect, test } from 'vitest';
import { ENDINGS } from '../judge/ending.ts';
import type { Exchange, Step } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { accepted, answer, exchangeOf, plannedCase, planWith } from '../testing/small-world.ts';
import { durationOf, endWithLimits, type Latency, latencyOf, measuredLimits, timeOf } from './latency.ts';

const plan = planWith();
const sent = (operation: string, observation: Observation, ms: number | undefined, step?: Step): Exchange => ({
  ...exchangeOf(plannedCase(plan, operation, 'USER'), observation, 1, 'cell'),
  ...(ms !== undefined && { ms }),
  ...(step && { step, case: 'isolation' }),
});

test('latency has the median, the 95th percentile and the slowest of each operation and outcome', () => {
  const times = Array.from({ length: 100 }, (_, index) => 100 - index);
  const exchanges = [
    ...times.map((ms) => sent('search', accepted, ms)),
    sent('search', answer(401, ''), 7),
    sent('search', answer(503, ''), 9),
    sent('chat', { kind: 'failure', failure: 'timeout', detail: 'no answer' }, 10_000),
  ];
  expect(latencyOf(plan, exchanges)).toEqual([
    {
      operation: 'search',
      outcome: 'accepted',
      requests: 100,
      median: 50,
      percentile95: 95,
      percentile99: 99,
      slowest: 100,
    },
    { operation: 'search', outcome: 'refused', requests: 1, median: 7, percentile95: 7, percentile99: 7, slowest: 7 },
    { operation: 'search', outcome: 'lost', requests: 1, median: 9, percentile95: 9, percentile99: 9, slowest: 9 },
    {
      operation: 'chat',
      outcome: 'lost',
      requests: 1,
      median: 10_000,
      percentile95: 10_000,
      percentile99: 10_000,
      slowest: 10_000,
    },
  ]);
});

test('latency counts the requests of checks to an operation, and no request without a time or an operation', () => {
  const step: Step = { shows: 'a search is accepted', wanted: 'accepted' };
  const exchanges = [
    sent('search', accepted, 3, { ...step, operation: 'chat' }),
    sent('search', accepted, 4, step),
    sent('search', accepted, undefined),
  ];
  expect(latencyOf(plan, exchanges)).toEqual([
    { operation: 'chat', outcome: 'accepted', requests: 1, median: 3, percentile95: 3, percentile99: 3, slowest: 3 },
  ]);
});

describe('the duration of a run', () => {
  test('lasts until its last answer, in whatever order they are recorded', () => {
    expect(durationOf([{ at: 4 }, { at: 90 }, { at: 12 }])).toBe(90);
  });

  test('is unknown where nothing was sent, and where an older version recorded the journal', () => {
    expect(durationOf([])).toBeUndefined();
    expect(durationOf([{}, {}])).toBeUndefined();
  });
});

test('requests take the sum of their times, and no time is known of those without one', () => {
  expect(timeOf([{ ms: 4 }, {}, { ms: 6 }])).toBe(10);
  expect(timeOf([{}])).toBeUndefined();
});

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
