import { peopleOf } from '../plan/people.ts';
import { commonHeaders } from '../plan/request.ts';
import type { JournalEntry } from '../record/exchange.ts';
import type { RawAnswer } from '../record/observation.ts';
import { createChatBudget } from '../send/chat-budget.ts';
import { createGate } from '../send/gate.ts';
import { createLockout } from '../send/lockout.ts';
import { createSender } from '../send/sender.ts';
import { simulatedClock } from './simulated-clock.ts';
import { contract, observer, plannedCase, planWith, SEARCH_BODY, settingsWith } from './small-world.ts';

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
  const entries: JournalEntry[] = [];
  const journal = {
    append: (entry: JournalEntry) => entries.push(entry),
    withdraw: () => undefined,
    close: () => undefined,
  };
  const people = peopleOf(settingsWith().variables, 'test');
  const parts = { contract, people, common: commonHeaders('test', '0.0.0'), unknownToken: 'unknown' };
  const chats = createChatBudget(undefined);
  const timeouts = { timeoutMs: 1000, chatTimeoutMs: 1000 };
  const sender = createSender({ contract, gate, chats, probe, journal, observer, parts, ...timeouts });
  const lockout = createLockout({ plan, sender, gate, loopback });
  return {
    gate,
    lockout,
    sender,
    times,
    entries,
    send: (planned = accepted) => clock.until(sender.send(planned, 'cell')),
    recover: () => clock.until(lockout.recover()),
    recoverTwice: () => clock.until(Promise.all([lockout.recover(), lockout.recover()])),
  };
}
