import { expect, test } from 'vitest';
import { rehearsalClock } from './rehearsal-clock.ts';

test('the rehearsal clock wakes sleepers in the order of their times, without real waiting', async () => {
  const clock = rehearsalClock();
  const woken: [string, number][] = [];
  const nap = async (name: string, ...naps: readonly number[]) => {
    for (const ms of naps) {
      await clock.sleep(ms);
      woken.push([name, clock.now()]);
    }
  };
  await Promise.all([nap('late', 3_600_000), nap('often', 1000, 500, 0), nap('once', 1200)]);
  expect(woken).toEqual([
    ['often', 1000],
    ['once', 1200],
    ['often', 1500],
    ['often', 1500],
    ['late', 3_600_000],
  ]);
});
