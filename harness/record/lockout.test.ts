import { describe, expect, test } from 'vitest';
import { answer, reset } from '../testing/small-world.ts';
import type { Exchange } from './exchange.ts';
import { afterLockouts, isLockoutRefusal } from './lockout.ts';
import type { Observation } from './observation.ts';

const exchange = (seq: number, observation: Observation): Exchange => ({
  type: 'exchange',
  seq,
  case: 'search',
  role: 'cell',
  credential: '$USER_TOKEN',
  observation,
});

test.each([
  [200, false],
  [400, false],
  [401, true],
  [403, true],
  [404, false],
  [423, true],
  [429, false],
  [500, false],
])('an answer with %i is the refusal of a lockout: %s', (status, expected) => {
  expect(isLockoutRefusal(answer(status))).toBe(expected);
});

test('no answer is not the refusal of a lockout', () => {
  expect(isLockoutRefusal({ ...reset })).toBe(false);
});

describe('with lockouts from 3 to 5 and from 8 to 8', () => {
  const lockouts = [
    { type: 'lockout', from: 3, to: 5 },
    { type: 'lockout', from: 8, to: 8 },
  ] as const;

  test.each([3, 4, 5, 8])('the refusal in exchange %i is a failure', (seq) => {
    expect(afterLockouts(exchange(seq, answer(401)), lockouts)).toEqual(
      exchange(seq, {
        kind: 'failure',
        failure: 'locked-out',
        detail: 'locked out: the target refused every request at that time',
      }),
    );
  });

  test.each([2, 6, 7, 9])('the refusal in exchange %i stays an answer', (seq) => {
    const refused = exchange(seq, answer(401));
    expect(afterLockouts(refused, lockouts)).toBe(refused);
  });

  test('an acceptance and a missing answer stay what they are', () => {
    for (const observation of [answer(200), reset]) {
      const other = exchange(4, observation);
      expect(afterLockouts(other, lockouts)).toBe(other);
    }
  });
});
