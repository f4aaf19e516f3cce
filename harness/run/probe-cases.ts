import type { JudgedRun } from '../judge/judge-run.ts';
import type { Isolated } from '../plan/strength/isolation.ts';
import { type Sending, sendGroup } from './send-group.ts';

/** What sends cases beyond the depth of a run, and how many it may send. */
export interface Asking {
  readonly sending: Sending;
  /** Judges everything that was sent until now. */
  readonly judge: () => JudgedRun;
  readonly isOver: () => boolean;
  readonly sent: { count: number };
  readonly most: number;
}

/** Sends cases and returns the ids of those that miss. */
export type Probe = (cases: readonly Pick<Isolated, 'id'>[]) => Promise<ReadonlySet<string>>;

/** @param share how many cases this probe may send at most. */
export function probeOf({ sending, judge, isOver, sent, most }: Asking, share: number): Probe {
  const { plan, sender } = sending;
  const limit = Math.min(most, sent.count + share);
  return async (cases) => {
    const open = cases.filter(({ id }) => sender.seen(id) === undefined).flatMap(({ id }) => plan.find(id) ?? []);
    const next = isOver() ? [] : open.slice(0, Math.max(0, limit - sent.count));
    sent.count += next.length;
    if (next.length > 0) await sendGroup(sending, { id: 'conditions', cases: next });
    const asked = new Set(cases.map(({ id }) => id));
    const missed = judge().verdicts.filter(
      ({ case: { id }, verdict }) => asked.has(id) && (verdict === 'fail' || verdict === 'warn'),
    );
    return new Set(missed.map(({ case: { id } }) => id));
  };
}
