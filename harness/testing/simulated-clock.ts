import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../send/clock.ts';

/** A clock whose time only passes while everything waits for it. A simulated minute takes a moment. */
interface SimulatedClock extends Clock {
  /** Lets time pass until a promise is settled. */
  until<T>(promise: Promise<T>): Promise<T>;
  /** Lets a number of milliseconds pass. */
  advance(ms: number): Promise<void>;
}

export function simulatedClock(start = 0): SimulatedClock {
  let now = start;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  const wakeNext = () => {
    const at = Math.min(...sleepers.map((sleeper) => sleeper.at));
    const index = sleepers.findIndex((sleeper) => sleeper.at === at);
    const [next] = index < 0 ? [] : sleepers.splice(index, 1);
    if (!next) throw new Error('nothing waits for the clock and the promise is not settled: it would never settle');
    now = Math.max(now, next.at);
    next.wake();
  };
  const clock: SimulatedClock = {
    now: () => now,
    sleep: (ms) => new Promise((wake) => sleepers.push({ at: now + Math.max(ms, 0), wake })),
    async until(promise) {
      let settled = false;
      const settle = () => {
        settled = true;
      };
      promise.then(settle, settle);
      for (;;) {
        await setImmediate();
        if (settled) return promise;
        wakeNext();
      }
    },
    advance: (ms) => clock.until(clock.sleep(ms)),
  };
  return clock;
}
