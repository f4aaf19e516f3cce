import { expect, test } from 'vitest';
import { rehearsalClock } from './rehearsal-clock.ts';

test('time passes while everybody sleeps, in the order of waking, and takes none', async () => {
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
