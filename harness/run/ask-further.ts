import type { JudgedRun } from '../judge/judge-run.ts';
import type { Plan } from '../plan/plan.ts';
import type { Gate } from '../send/gate.ts';
import { lastAcceptance } from '../send/lockout.ts';
import type { Sender } from '../send/sender.ts';
import { type Asking, askMasked, probeOf } from './ask-masked.ts';
import { findConditions } from './find-conditions.ts';

/** The most cases that a run sends beyond its depth, and the most of them for what is masked. */
const MOST_IN_A_RUN = 240;
const MOST_FOR_MASKED = 120;

/** Asks what stayed undecided because something else covers it, and then more where something is wrong (outcomes 3). */
export async function askFurther(options: Pick<Asking, 'sending' | 'judge' | 'isOver'>): Promise<void> {
  const asking = { ...options, sent: { count: 0 }, most: MOST_IN_A_RUN };
  await askMasked(asking, probeOf(asking, MOST_FOR_MASKED));
  await findConditions(asking);
}

/** So many more sends tell a fault from chance, or nothing does. */
const MOST_SENDS = 12;

export interface Settling {
  readonly sender: Pick<Sender, 'send'>;
  /** Judges everything that was sent until now. */
  readonly judge: () => Pick<JudgedRun, 'verdicts'>;
  readonly isOver: () => boolean;
}

/** Sends again the cases whose wrong answer comes by chance elsewhere too, until it is clear what it is here (outcomes 3). */
export async function settleChance({ sender, judge, isOver }: Settling): Promise<void> {
  for (let time = 0; time < MOST_SENDS && !isOver(); time += 1) {
    const unclear = judge().verdicts.filter((verdict) => verdict.unclear);
    if (unclear.length === 0) return;
    for (const { case: planned } of unclear) await sender.send(planned, 'confirmation');
  }
}

export interface EndingRun {
  readonly plan: Plan;
  readonly sender: Sender;
  readonly gate: Pick<Gate, 'closed' | 'close'>;
}

/**
 * Stops the run if its last request got no answer and the target no longer answers at all. An odd request of a check may
 * have ended the target, and the run would conform because nothing was left to send (outcomes 6).
 */
export async function endIfDead({ plan, sender, gate }: EndingRun): Promise<void> {
  if (gate.closed !== undefined || sender.exchanges.at(-1)?.observation.kind !== 'failure') return;
  const last = lastAcceptance(plan, sender.exchanges);
  const seen = last && (await sender.send(last.planned, 'control'))?.observation;
  if (seen?.kind === 'failure')
    gate.close(`the target no longer answers what it accepted before (${seen.detail}): it may have ended`);
}
