import type { Clock } from '../send/clock.ts';

/** A clock that jumps to the next wake-up when everything sleeps, so that a rehearsal of hours takes a moment. */
export function rehearsalClock(): Clock {
  let now = 0;
  let scheduled = false;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  const wakeNext = () => {
    sleepers.sort((a, b) => a.at - b.at);
    const sleeper = sleepers.shift();
    if (sleeper) {
      now = Math.max(now, sleeper.at);
      sleeper.wake();
    }
    scheduled = sleepers.length > 0;
    if (scheduled) setImmediate(wakeNext);
  };
  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers.push({ at: now + Math.max(ms, 0), wake });
        // Only after all other work: what was just woken may sleep again, and for less time than the other sleepers.
        if (!scheduled) setImmediate(wakeNext);
        scheduled = true;
      }),
  };
}
