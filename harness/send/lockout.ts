import pMap from 'p-map';
import type { Plan } from '../plan/plan.ts';
import { isLockoutRefusal } from '../record/lockout.ts';
import type { Gate } from './gate.ts';
import { lastAcceptance } from './last-acceptance.ts';
import type { Sender } from './sender.ts';

export interface Lockout {
  /**
   * Checks whether the target has locked the run out. If so, waits for the end of the lockout and sends the cases again
   * that were refused in the meantime.
   * @returns whether there was a lockout.
   */
  recover(): Promise<boolean>;
}
export interface LockoutOptions {
  readonly plan: Plan;
  readonly sender: Sender;
  readonly gate: Gate;
  readonly concurrency: number;
}

const TIMES_IN_A_ROW = 3;
/** After this many waits of a minute the run ends. */
const MAX_WAITS = 16;

/**
 * A target may guard against guessed tokens: after some refusals it locks an address or a person out and refuses every
 * request. Those refusals prove nothing. A lockout shows when the last acceptance is now refused (outcomes 6).
 */
export function createLockout({ plan, sender, gate, concurrency }: LockoutOptions): Lockout {
  return {
    async recover() {
      const last = lastAcceptance(plan, sender.exchanges);
      if (!last) return false;
      const { planned, seq } = last;
      const refused = async () => {
        const exchange = await sender.send(planned, 'control');
        return exchange !== undefined && isLockoutRefusal(exchange.observation);
      };
      // A refusal that does not repeat is not a lockout. It gets its own verdict.
      for (let time = 0; time < TIMES_IN_A_ROW; time += 1) if (!(await refused())) return false;
      for (let wait = 0; wait < MAX_WAITS && gate.closed === undefined; wait += 1) {
        if (wait === 0) gate.lockedOut();
        else gate.stillLockedOut();
        if (await refused()) continue;
        if (gate.closed !== undefined) break;
        const cases = sender.discardRefusals(seq + 1).flatMap((id) => plan.cases.get(id) ?? []);
        await pMap(cases, (found) => sender.send(found, 'cell'), { concurrency });
        return true;
      }
      sender.discardRefusals(seq + 1);
      gate.close(
        `the target still refuses what it accepted before: it has probably locked out the tokens or this address${gate.advice}`,
      );
      return true;
    },
  };
}
