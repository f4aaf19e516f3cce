import pMap from 'p-map';
import type { Plan } from '../plan/plan.ts';
import { isLockoutRefusal } from '../record/lockout.ts';
import type { Gate } from './gate.ts';
import { lastAcceptance } from './last-acceptance.ts';
import type { Sender } from './sender.ts';

export interface Lockout {
  /** Whether the target refuses by now what it accepted before; if so it is waited for, and what it hid is sent again. */
  outlast(): Promise<boolean>;
}
export interface LockoutOptions {
  readonly plan: Plan;
  readonly sender: Sender;
  readonly gate: Gate;
  readonly concurrency: number;
}

const TIMES_IN_A_ROW = 3;
/** Waits of a minute, after which a target that lets nobody in any more counts as gone. */
const MOST_WAITS = 16;

/**
 * Guards against guessed tokens may lock an address or a person out after some refusals, and then refuse everything: what
 * a denial showed meanwhile, it did not show. Seen by a case that was accepted before and is refused now.
 */
export function createLockout({ plan, sender, gate, concurrency }: LockoutOptions): Lockout {
  const again = (ids: readonly string[]) => ids.flatMap((id) => plan.cases.get(id) ?? []);
  return {
    async outlast() {
      const last = lastAcceptance(plan, sender.exchanges);
      if (!last) return false;
      const { planned, seq } = last;
      const refused = async () => {
        const exchange = await sender.send(planned, 'control');
        return exchange !== undefined && isLockoutRefusal(exchange.observation);
      };
      // One that comes and goes is no lockout, and has its own verdict.
      for (let time = 0; time < TIMES_IN_A_ROW; time += 1) if (!(await refused())) return false;
      for (let wait = 0; wait < MOST_WAITS && gate.closed === undefined; wait += 1) {
        gate.lockedOut();
        if (await refused()) continue;
        if (gate.closed !== undefined) break;
        const hidden = sender.takeBack(seq + 1);
        await pMap(again(hidden), (one) => sender.send(one, 'cell'), { concurrency });
        return true;
      }
      sender.takeBack(seq + 1);
      gate.close('the target refuses everything since, as if it had locked the tokens or this address out');
      return true;
    },
  };
}
