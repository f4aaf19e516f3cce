import type { Plan } from '../plan/plan.ts';
import type { Gate } from '../send/gate.ts';
import { lastAcceptance } from '../send/last-acceptance.ts';
import type { Sender } from '../send/sender.ts';

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
