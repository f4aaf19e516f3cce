import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { isLockoutRefusal } from '../record/lockout.ts';
import { isAccepted } from '../record/observation.ts';
import type { Gate } from './gate.ts';
import type { Sender } from './sender.ts';

export interface Lockout {
  /** How often the target has locked the run out. */
  readonly times: number;
  /**
   * Checks whether the target has locked the run out. If so, waits for the end of the lockout and sends the cases again
   * that were refused in the meantime.
   * @returns whether there was a lockout.
   */
  recover(): Promise<boolean>;
}
interface LockoutOptions {
  readonly plan: Plan;
  readonly sender: Sender;
  readonly gate: Gate;
  /** The target is on this machine. What it refuses for good is then more likely a fault than a lockout. */
  readonly loopback: boolean;
}

const TIMES_IN_A_ROW = 3;
/** After this many waits, of a minute at most, the run ends. */
const MAX_WAITS = 16;
/** After this many, of two minutes altogether, a target on this machine is blamed. */
const MAX_WAITS_HERE = 7;

/**
 * A target may guard against guessed tokens: after some refusals it locks an address or a person out and refuses every
 * request. Those refusals prove nothing. A lockout shows when the last acceptance is now refused (outcomes 6).
 */
export function createLockout({ plan, sender, gate, loopback }: LockoutOptions): Lockout {
  let times = 0;
  let isForGood = false;
  let recovering: Promise<boolean> | undefined;
  const isRefused = async (planned: PlannedCase) => {
    const exchange = await sender.send(planned, 'control');
    return exchange !== undefined && isLockoutRefusal(exchange.observation);
  };
  /** Waits until the target accepts again what it accepted before. @returns whether it was a lockout. */
  const waitFor = async (planned: PlannedCase): Promise<boolean> => {
    times += 1;
    for (let wait = 0; wait < (loopback ? MAX_WAITS_HERE : MAX_WAITS); wait += 1) {
      if (wait === 0) gate.lockedOut();
      else gate.stillLockedOut();
      // A closed gate sends nothing, and so nothing is refused.
      if (!(await isRefused(planned))) return true;
    }
    isForGood = loopback;
    if (!isForGood)
      gate.close(
        `the target still refuses what it accepted before: it has probably locked out the tokens or this address${gate.advice}`,
      );
    return !isForGood;
  };
  const recover = async () => {
    const last = lastAcceptance(plan, sender.exchanges);
    if (!last || isForGood) return false;
    // A refusal that does not repeat is not a lockout. It gets its own verdict.
    for (let time = 0; time < TIMES_IN_A_ROW; time += 1) if (!(await isRefused(last.planned))) return false;
    if (!(await waitFor(last.planned))) return false;
    for (const id of sender.discardRefusals(last.seq + 1)) {
      const found = gate.closed === undefined ? plan.cases.get(id) : undefined;
      const again = found && (await sender.send(found, 'cell'));
      // One at a time, each right after an acceptance: its refusal then counts, also if the next lockout follows it.
      if (again && isLockoutRefusal(again.observation) && (await isRefused(last.planned))) await waitFor(last.planned);
    }
    return true;
  };
  return {
    get times() {
      return times;
    },
    async recover() {
      recovering ??= recover().finally(() => {
        recovering = undefined;
      });
      return recovering;
    },
  };
}

/**
 * The case that the target accepted last, of those that it must accept: a wrong acceptance may have come by chance, and the
 * next refusal of it is right. A case with a documented success is preferred, because a chat costs more.
 * @returns the case, and the `seq` of the exchange in which the target last accepted anything.
 */
export function lastAcceptance(plan: Plan, exchanges: readonly Exchange[]) {
  const last = exchanges.findLast(({ observation }) => isAccepted(observation));
  const isRight = ({ case: id, observation }: Exchange) =>
    isAccepted(observation) && plan.cases.get(id)?.expectation.kind === 'accept';
  const isCheap = ({ observation }: Exchange) =>
    observation.kind === 'answer' && observation.schemaErrors !== undefined;
  const right = exchanges.findLast((exchange) => isRight(exchange) && isCheap(exchange)) ?? exchanges.findLast(isRight);
  const planned = right && plan.cases.get(right.case);
  return planned && last && { planned, seq: last.seq };
}
