import { describe, expect, test } from 'vitest';
import type { Exchange, Step } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { accepted, answer, exchangeOf, plannedCase, planWith } from '../testing/small-world.ts';
import { durationOf, latencyOf, timeOf } from './latency.ts';

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
