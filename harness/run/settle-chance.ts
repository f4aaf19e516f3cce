import type { JudgedRun } from '../judge/judge-run.ts';
import type { Sender } from '../send/sender.ts';

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
