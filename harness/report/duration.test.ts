import { describe, expect, test } from 'vitest';
import { durationOf, timeOf } from './duration.ts';

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
