import { describe, expect, test } from 'vitest';
import { simulatedClock } from '../testing/simulated-clock.ts';
import { settingsWith } from '../testing/small-world.ts';
import { createDenials, mostRefused } from './denials.ts';

const MINUTE = 60_000;

/** Tokens that are refused as fast as the pace admits, one every 20 ms at most, each answered after these milliseconds. */
async function refusedIn(
  minutes: number,
  most: number | undefined,
  msIn: (minute: number, count: number) => number = () => 50,
) {
  const clock = simulatedClock();
  const denials = createDenials(clock, most);
  const counts = Array.from({ length: minutes }, () => 0);
  const refuse = async (until: number, each: (minute: number) => void = () => {}) => {
    while (clock.now() < until) {
      if (denials.heldUntil > clock.now()) await clock.advance(denials.heldUntil - clock.now());
      if (clock.now() >= until) return;
      const minute = Math.floor(clock.now() / MINUTE);
      each(minute);
      denials.denied(msIn(minute, counts[minute] ?? 0));
      counts[minute] = (counts[minute] ?? 0) + 1;
      await clock.advance(20);
    }
  };
  return { clock, denials, counts, refuse };
}

describe('the pace of refused tokens', () => {
  test('begins at 60 a minute and doubles after each minute without a sign of a limit, up to the most', async () => {
    const { counts, refuse } = await refusedIn(5, 240);
    await refuse(5 * MINUTE);
    expect(counts).toEqual([60, 120, 240, 240, 240]);
  });

  test.each([
    [30, [30, 30, 30]],
    [60, [60, 60, 60]],
    [100, [60, 100, 100]],
  ])('is capped at %d', async (most, expected) => {
    const { counts, refuse } = await refusedIn(3, most);
    await refuse(3 * MINUTE);
    expect(counts).toEqual(expected);
  });

  test('is unlimited without a cap', async () => {
    const { counts, denials, refuse } = await refusedIn(2, undefined);
    await refuse(2 * MINUTE);
    expect(counts).toEqual([3000, 3000]);
    expect(denials).toMatchObject({ perMinute: undefined, advice: '' });
  });

  test('goes back to 60 for the rest of the run if the target asks to slow down', async () => {
    const { counts, denials, refuse } = await refusedIn(6, 240);
    let asked = false;
    await refuse(6 * MINUTE, (minute) => {
      if (minute === 2 && !asked) denials.limited();
      asked ||= minute === 2;
    });
    expect(counts).toEqual([60, 120, 60, 60, 60, 60]);
    expect(denials.perMinute).toBe(60);
  });

  test('goes back to 60 if the median of a minute is twice that of the first', async () => {
    const { counts, refuse } = await refusedIn(5, 240, (minute) => (minute === 1 ? 100 : 50));
    await refuse(5 * MINUTE);
    expect(counts).toEqual([60, 120, 60, 60, 60]);
  });

  test.each([
    ['a few slow answers are no sign', [10, 900, 10, 10, 900], [10, 10, 900, 10, 10], 240],
    ['answers that take less than twice as long are no sign', [50], [99], 240],
    ['answers that take twice as long are a sign, from 10 ms more', [10], [20], 60],
    ['answers that take twice as long are a sign even if some are fast', [9, 10, 11], [50, 8, 50], 60],
  ])('counts with the median of a minute: %s', async (_sentence, first, second, pace) => {
    const { denials, refuse } = await refusedIn(3, 240, (minute, count) => {
      const times = minute === 1 ? second : first;
      return times[count % times.length] ?? 0;
    });
    await refuse(2 * MINUTE + 1);
    expect(denials.perMinute).toBe(pace);
  });

  test('holds at once if the target asks to slow down after more than 60 in a minute', async () => {
    const { clock, denials, refuse } = await refusedIn(2, 240);
    await refuse(MINUTE + 2000);
    expect(denials.heldUntil).toBeLessThanOrEqual(clock.now());
    denials.limited();
    expect(denials.heldUntil).toBeGreaterThan(clock.now());
  });

  test('does not take a few milliseconds more for a sign', async () => {
    const { counts, refuse } = await refusedIn(4, 240, (minute) => 1 + 2 * minute);
    await refuse(4 * MINUTE);
    expect(counts).toEqual([60, 120, 240, 240]);
  });

  test('is at most 30 after a lockout, for the rest of the run', async () => {
    const { clock, counts, denials, refuse } = await refusedIn(6, 240);
    await refuse(2 * MINUTE + 1000);
    denials.lockedOut();
    expect(denials.perMinute).toBeLessThanOrEqual(30);
    await clock.advance(MINUTE);
    await refuse(6 * MINUTE);
    expect(Math.max(...counts.slice(4))).toBeLessThanOrEqual(30);
  });

  test('does not grow because of a minute in which no token was refused', async () => {
    const { clock, denials } = await refusedIn(1, 240);
    denials.denied(50);
    await clock.advance(10 * MINUTE);
    denials.denied(50);
    expect(denials.perMinute).toBe(120);
  });

  test('is half of what the last minute saw after a lockout', async () => {
    const { clock, denials } = await refusedIn(1, 240);
    for (let count = 0; count < 20; count += 1) denials.denied(50);
    await clock.advance(MINUTE);
    for (let count = 0; count < 10; count += 1) denials.denied(50);
    denials.lockedOut();
    expect(denials.perMinute).toBe(5);
  });
});

describe('the most refused tokens a minute', () => {
  test('are what the variable says', () => {
    expect(mostRefused(settingsWith({ CONFORMANCE_REFUSED_PER_MINUTE: '7' }))).toBe(7);
  });

  test('are 240 on another machine, and unlimited on this one', () => {
    expect(mostRefused(settingsWith())).toBe(240);
    expect(mostRefused(settingsWith({ TARGET_BASE_URL: 'http://127.0.0.1:8080' }))).toBeUndefined();
  });
});

describe('the advice for a run that a guard ended', () => {
  test.each([
    [3, '; before, 3 tokens were refused, up to 3 in a minute: ', 4],
    [61, '; before, 61 tokens were refused, up to 60 in a minute: ', 30],
    [180, '; before, 180 tokens were refused, up to 120 in a minute: ', 60],
  ])('says after %d refused tokens how many there were, and how many to allow', async (count, begin, less) => {
    const { clock, denials } = await refusedIn(2, 240);
    for (let sent = 0; sent < count; sent += 1) {
      await clock.advance(Math.max(20, denials.heldUntil - clock.now()));
      denials.denied(50);
    }
    expect(denials.advice).toContain(begin);
    expect(denials.advice).toMatch(new RegExp(`set CONFORMANCE_REFUSED_PER_MINUTE=${less}$`));
  });

  test('is empty if no token was refused', () => {
    expect(createDenials(simulatedClock(), 240).advice).toBe('');
  });
});
