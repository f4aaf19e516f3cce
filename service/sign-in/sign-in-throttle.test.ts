import { expect, test } from 'vitest';
import { createSignInThrottle } from './sign-in-throttle.ts';

const minute = 60_000;

function budget(most?: number) {
  const clock = { now: Date.UTC(2026, 10, 21) };
  const { take, succeeded } = createSignInThrottle({ now: () => clock.now, ...(most !== undefined && { most }) });
  /** Fails so often, and says what the last try was told. */
  const fail = (email: string, times = 1) => Array.from({ length: times }, () => take(email)).at(-1);
  return { clock, take, succeeded, fail };
}

test('ten failures are one too few to be told to wait', () => {
  const { fail } = budget();
  expect(fail('ann@example.com', 10)).toBeUndefined();
  expect(fail('ann@example.com')).toBe(60);
});

test('after a minute there is one further try, and after ten all of them', () => {
  const { clock, fail } = budget();
  fail('ann@example.com', 11);
  clock.now += minute - 1;
  expect(fail('ann@example.com')).toBe(1);
  clock.now += 1;
  expect(fail('ann@example.com')).toBeUndefined();
  expect(fail('ann@example.com')).toBe(60);
  clock.now += 10 * minute;
  expect(fail('ann@example.com', 10)).toBeUndefined();
  expect(fail('ann@example.com')).toBe(60);
});

test('another spelling is the same person, another person is not', () => {
  const { fail } = budget();
  fail('ann@example.com', 10);
  expect(fail(' Ann@EXAMPLE.com ')).toBe(60);
  expect(fail('bob@example.com')).toBeUndefined();
});

test('sign-ins that succeed never count', () => {
  const { take, succeeded, fail } = budget();
  for (let count = 0; count < 100; count += 1) {
    expect(take('ann@example.com')).toBeUndefined();
    succeeded('ann@example.com');
  }
  expect(fail('ann@example.com', 10)).toBeUndefined();
  expect(fail('ann@example.com')).toBe(60);
});

test('a clock that is set back leaves nobody out for longer', () => {
  const { clock, fail } = budget();
  fail('ann@example.com', 10);
  clock.now -= 24 * 60 * minute;
  expect(fail('ann@example.com')).toBe(60);
});

test('a flood of emails frees none that is spent', () => {
  const { fail } = budget(100);
  fail('ann@example.com', 10);
  for (let count = 0; count < 1000; count += 1) fail(`guess-${count}@example.com`);
  expect(fail('ann@example.com')).toBe(60);
});

test('of a flood no more than the latest are kept in mind', () => {
  const { fail } = budget(100);
  for (let count = 0; count < 101; count += 1) fail(`guess-${count}@example.com`, count === 0 ? 1 : 2);
  // The first had the most tries left, so it made room and has ten again.
  expect(fail('guess-0@example.com', 10)).toBeUndefined();
  expect(fail('guess-100@example.com', 9)).toBe(60);
});
