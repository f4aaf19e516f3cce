import { describe, expect, test } from 'vitest';
import { simulatedClock } from '../testing/simulated-clock.ts';
import { createDenials } from './denials.ts';

const MINUTE = 60_000;

/** Tokens that are refused as fast as the pace admits, one every 20 ms at most, each answered after these milliseconds. */
async function refusedIn(minutes: number, most: number | undefined, msIn: (minute: number) => number = () => 50) {
  const clock = simulatedClock();
  const denials = createDenials(clock, most);
  const counts = Array.from({ length: minutes }, () => 0);
  const refuse = async (until: number, each: (minute: number) => void = () => {}) => {
    while (clock.now() < until) {
      if (denials.heldUntil > clock.now()) await clock.advance(denials.heldUntil - clock.now());
      if (clock.now() >= until) return;
      const minute = Math.floor(clock.now() / MINUTE);
      each(minute);
      denials.denied(msIn(minute));
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
    expect(denials.perMinute).toBeUndefined();
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
});
