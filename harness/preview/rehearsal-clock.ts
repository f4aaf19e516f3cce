import type { Clock } from '../send/clock.ts';

/** A clock whose time passes by itself, and only while everybody sleeps: hours take a moment, and none is lost. */
export function rehearsalClock(): Clock {
  let now = 0;
  let awake = false;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  const wakeNext = () => {
    const next = sleepers.reduce<number>((best, { at }, index) => (at < (sleepers[best]?.at ?? 0) ? index : best), 0);
    const [sleeper] = sleepers.splice(next, 1);
    if (sleeper) {
      now = Math.max(now, sleeper.at);
      sleeper.wake();
    }
    awake = sleepers.length > 0;
    if (awake) setImmediate(wakeNext);
  };
  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers.push({ at: now + Math.max(ms, 0), wake });
        // Only when nothing else is left to do: whoever was woken may want to sleep less long than those who still do.
        if (!awake) setImmediate(wakeNext);
        awake = true;
      }),
  };
}
