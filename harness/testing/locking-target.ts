import type { PlannedCase } from '../plan/plan.ts';
import type { RawAnswer } from '../record/observation.ts';
import { createGate } from '../send/gate.ts';
import { createLockout } from '../send/lockout.ts';
import { recordedSender } from './recorded-sender.ts';
import { simulatedClock } from './simulated-clock.ts';
import { plannedCase, planWith, SEARCH_BODY } from './small-world.ts';

export const plan = planWith();
export const accepted = plannedCase(plan, 'search', 'USER');
export const other = plannedCase(plan, 'search', 'OKTA');
export const MINUTE = 60_000;

/** A target that answers each request by its number, from 1, and by the time in milliseconds. */
export function world(statusOf: (request: number, now: number) => number, loopback = false) {
  const clock = simulatedClock();
  const gate = createGate({
    clock,
    rate: undefined,
    concurrency: 1,
    patienceMs: 1000,
    denialsPerMinute: loopback ? undefined : 1000,
  });
  const times: number[] = [];
  const probe = {
    async send(): Promise<RawAnswer> {
      times.push(clock.now());
      const status = statusOf(times.length, clock.now());
      return { status, headers: {}, text: status === 200 ? SEARCH_BODY : '', truncated: false };
    },
    close: async () => undefined,
  };
  const { entries, sender } = recordedSender({ gate, probe, connect: () => probe });
  const lockout = createLockout({ plan, sender, gate, loopback });
  return {
    gate,
    lockout,
    sender,
    times,
    entries,
    send: async (...planned: readonly PlannedCase[]) => {
      for (const one of planned) await clock.until(sender.send(one, 'cell'));
    },
    recover: () => clock.until(lockout.recover()),
    recoverTwice: () => clock.until(Promise.all([lockout.recover(), lockout.recover()])),
  };
}
