import { describe, expect, test } from 'vitest';
import { retryAfterMs } from '../record/lockout.ts';
import type { Answer, Failure, Observation } from '../record/observation.ts';
import { simulatedClock } from '../testing/simulated-clock.ts';
import { createGate } from './gate.ts';
import { pauseBeforeRetry, type RetryOptions } from './retry.ts';

const reset: Failure = { kind: 'failure', failure: 'reset', detail: 'reset (ECONNRESET)' };
const timeout: Failure = { kind: 'failure', failure: 'timeout', detail: 'timeout (no answer)' };
const brokenOff: Failure = { kind: 'failure', failure: 'protocol', detail: 'the answer broke off' };
const answer = (status: number): Answer => {
  return { kind: 'answer', status, contentType: undefined, form: 'empty', whole: [], embedded: [] };
};
const withRetryAfter = (value: string, status = 503): Answer => ({ ...answer(status), retryAfter: value });

/** The pauses before each retry of an outcome that repeats, and how long the gate was paused. */
function pauses(observation: Observation, options?: RetryOptions) {
  const gate = createGate({ clock: simulatedClock(), rate: undefined, concurrency: 1, patienceMs: 1000 });
  const list: number[] = [];
  for (let attempt = 0; ; attempt += 1) {
    const pause = pauseBeforeRetry(gate, observation, attempt, options);
    if (pause === undefined) return { list, held: gate.heldMs };
    list.push(pause);
  }
}

/** How often the gate counts this outcome as a request without an answer. */
function failures(observation: Observation, options: RetryOptions) {
  const gate = createGate({ clock: simulatedClock(), rate: undefined, concurrency: 1, patienceMs: 1000 });
  let failed = 0;
  pauseBeforeRetry({ ...gate, failed: () => (failed += 1) }, observation, 0, options);
  return failed;
}

test('a refusal of a token that has expired is not sent again, and is no silence of the target', () => {
  const ended: Failure = { kind: 'failure', failure: 'ended', detail: '401 to $USER_TOKEN, which expired' };
  expect(pauses(ended)).toEqual({ list: [], held: 0 });
  expect(failures(ended, {})).toBe(0);
});

describe('a Retry-After', () => {
  test.each([
    ['in seconds', '3', 3000],
    ['of zero seconds', '0', 0],
    ['of a day, as the longest pause', '86400', 60_000],
    ['as a date', 'Sat, 21 Nov 2026 00:00:07 GMT', 7000],
    ['as a date in the past', 'Fri, 20 Nov 2026 23:00:00 GMT', 0],
    ['below zero', '-5', 0],
    ['that is invalid, as none', 'soon', undefined],
    ['that is empty, as none', '', undefined],
    ['that is blank, as none', '  ', undefined],
  ])('is read %s', (_what, value, ms) => {
    expect(retryAfterMs(withRetryAfter(value), Date.UTC(2026, 10, 21))).toBe(ms);
  });

  test('that is a date is read by the clock of the target, if that says what time it is', () => {
    const late = { ...withRetryAfter('Sat, 21 Nov 2026 00:07:02 GMT'), date: 'Sat, 21 Nov 2026 00:07:00 GMT' };
    const now = Date.UTC(2026, 10, 21);
    expect([late, { ...late, date: 'late' }].map((one) => retryAfterMs(one, now))).toEqual([2000, 60_000]);
  });

  test('may be absent', () => {
    expect(retryAfterMs(answer(503))).toBeUndefined();
    expect(retryAfterMs(reset)).toBeUndefined();
  });
});

test.each([
  [401, 1],
  [403, 1],
  [400, 0],
  [404, 0],
  [429, 0],
  [200, 0],
])('status %d counts %d times as a refused token', (status, times) => {
  const gate = createGate({ clock: simulatedClock(), rate: undefined, concurrency: 1, patienceMs: 1000 });
  let denied = 0;
  pauseBeforeRetry({ ...gate, denied: () => (denied += 1) }, answer(status), 0);
  expect(denied).toBe(times);
});

test('a target that says nothing but 429 is limited, and no answer of it is one of the application', () => {
  const gate = createGate({ clock: simulatedClock(), rate: undefined, concurrency: 1, patienceMs: 1000 });
  const told: string[] = [];
  const noting = { ...gate, limited: () => told.push('limited'), answered: () => told.push('answered') };
  for (const status of [429, 401]) pauseBeforeRetry(noting, answer(status), 0);
  expect(told).toEqual(['limited', 'answered']);
});

test.each([answer(401), answer(400), answer(200), answer(503), reset])(
  'a request that is meant to be refused counts once, whatever comes back',
  (observation) => {
    const gate = createGate({ clock: simulatedClock(), rate: undefined, concurrency: 1, patienceMs: 1000 });
    let denied = 0;
    pauseBeforeRetry({ ...gate, denied: () => (denied += 1) }, observation, 0, { isDenial: true });
    expect(denied).toBe(1);
  },
);

test.each([
  [502, 1],
  [503, 1],
  [504, 1],
  [529, 1],
  [500, 0],
  [408, 0],
  [425, 0],
  [429, 0],
])('status %d counts %d times as no answer of the application', (status, times) => {
  expect(failures(answer(status), {})).toBe(times);
});

describe('a retry', () => {
  test.each<[string, Observation]>([
    ['an acceptance', answer(200)],
    ['a refusal', answer(401)],
    ["an application's error", answer(500)],
    ['a redirect', answer(302)],
  ])('does not follow %s', (_what, observation) => {
    expect(pauses(observation)).toEqual({ list: [], held: 0 });
  });

  test.each<[string, Observation]>([
    ['a reset', reset],
    ...[408, 425, 502, 503, 504, 520, 529].map((status): [string, Observation] => [String(status), answer(status)]),
  ])('follows %s three times, each pause twice as long', (_what, observation) => {
    expect(pauses(observation)).toEqual({ list: [100, 200, 400], held: 0 });
  });

  test('of 503 with Retry-After pauses everything, and comes no more often than without', () => {
    expect(pauses(withRetryAfter('2'))).toEqual({ list: [0, 0, 0], held: 2000 });
  });

  test('of 503 that is left out pauses everything nevertheless', () => {
    expect(pauses(withRetryAfter('2'), { retries: 0 })).toEqual({ list: [], held: 2000 });
  });

  test('of 502 with Retry-After pauses only this request', () => {
    expect(pauses(withRetryAfter('2', 502))).toEqual({ list: [2000, 2000, 2000], held: 0 });
  });

  test('of 429 pauses everything, and comes far more often', () => {
    const { list, held } = pauses(withRetryAfter('2', 429));
    expect(list.length).toBeGreaterThan(5);
    expect(new Set(list)).toEqual(new Set([0]));
    expect(held).toBeGreaterThanOrEqual(2000);
  });

  test('follows a reset even if the request may get no answer, which then does not count as a silence of the target', () => {
    expect(pauses(reset, { mayBeSilent: true })).toEqual({ list: [100, 200, 400], held: 0 });
    expect(failures(reset, { mayBeSilent: true })).toBe(0);
  });

  test('does not follow a timeout of a request that may get no answer', () => {
    expect(pauses(timeout, { mayBeSilent: true })).toEqual({ list: [], held: 0 });
    expect(failures(timeout, { mayBeSilent: true })).toBe(0);
  });

  test('follows an answer that broke off: that is no silence', () => {
    expect(pauses(brokenOff, { mayBeSilent: true }).list).toEqual([100, 200, 400]);
    expect(failures(brokenOff, { mayBeSilent: true })).toBe(1);
  });

  test('is left out if the number of retries is 0', () => {
    expect(pauses(reset, { retries: 0 }).list).toEqual([]);
  });
});
