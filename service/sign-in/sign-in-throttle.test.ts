import { expect, test } from 'vitest';
import { createSignInThrottle } from './sign-in-throttle.ts';

const minute = 60_000;

function throttle(maxSubjects?: number) {
  const clock = { now: Date.UTC(2026, 10, 21) };
  const { attempt, takeBack } = createSignInThrottle({
    now: () => clock.now,
    ...(maxSubjects !== undefined && { maxSubjects }),
  });
  /** Fails this many times and returns the answer to the last attempt. */
  const fail = (email: string, times = 1) => Array.from({ length: times }, () => attempt(email)).at(-1);
  return { clock, attempt, takeBack, fail };
}

test('ten failures are allowed, and the next attempt must wait', () => {
  const { fail } = throttle();
  expect(fail('ann@example.com', 10)).toBeUndefined();
  expect(fail('ann@example.com')).toBe(60);
});

test('one attempt is available after a minute, and all ten after ten minutes', () => {
  const { clock, fail } = throttle();
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

test('spellings of one email count together, and emails count separately', () => {
  const { fail } = throttle();
  fail('ann@example.com', 10);
  expect(fail(' Ann@EXAMPLE.com ')).toBe(60);
  expect(fail('bob@example.com')).toBeUndefined();
});

test('successful sign-ins do not count', () => {
  const { attempt, takeBack, fail } = throttle();
  for (let count = 0; count < 100; count += 1) {
    expect(attempt('ann@example.com')).toBeUndefined();
    takeBack('ann@example.com');
  }
  expect(fail('ann@example.com', 10)).toBeUndefined();
  expect(fail('ann@example.com')).toBe(60);
});

test('the wait is not longer when the clock is set back', () => {
  const { clock, fail } = throttle();
  fail('ann@example.com', 10);
  clock.now -= 24 * 60 * minute;
  expect(fail('ann@example.com')).toBe(60);
});

test('a flood of emails does not reset an email without attempts', () => {
  const { fail } = throttle(100);
  fail('ann@example.com', 10);
  for (let count = 0; count < 1000; count += 1) fail(`guess-${count}@example.com`);
  expect(fail('ann@example.com')).toBe(60);
});

test('a full throttle forgets the email with the most attempts left', () => {
  const { fail } = throttle(100);
  for (let count = 0; count < 101; count += 1) fail(`guess-${count}@example.com`, count === 0 ? 1 : 2);
  // The first email had the most attempts left, so it was forgotten and has ten again.
  expect(fail('guess-0@example.com', 10)).toBeUndefined();
  expect(fail('guess-100@example.com', 9)).toBe(60);
});
