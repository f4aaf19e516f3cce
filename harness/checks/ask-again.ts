import { RECURRENCES } from '../judge/judge-case.ts';
import { isAccepted, type Observation, transportReason } from '../record/observation.ts';
import type { CheckAnswer } from './check.ts';
import { outcomeOf } from './outcome.ts';

export interface AskAgain {
  /** Sends the same request once more. Undefined if nothing was sent. */
  readonly send: () => Promise<CheckAnswer | undefined>;
  /** Whether the target accepts, at this moment, what it accepted last. */
  readonly isAnswering: () => Promise<boolean>;
}

/**
 * Asks again what got no answer of the application, beside a request that the target accepts. So a request that was lost by
 * chance gets its answer, and ends no check. What comes on every send is the target's way to refuse this request, such as
 * that of a firewall (outcomes 3).
 */
export async function askAgain(lost: CheckAnswer, { send, isAnswering }: AskAgain): Promise<CheckAnswer> {
  if (wayOf(lost.observation) === undefined || !(await isAnswering())) return lost;
  for (let time = 0; time < RECURRENCES; time += 1) {
    const again = await send();
    if (!again || outcomeOf(again).kind !== 'lost') return again ?? lost;
    if (wayOf(again.observation) !== wayOf(lost.observation) || !(await isAnswering())) return again;
  }
  return { ...lost, recurs: true };
}

/** How something in front of a target may refuse a request. Undefined for what says that the target is busy, or gone. */
export function wayOf(observation: Observation): string | undefined {
  if (observation.kind === 'failure') return WAYS.find((way) => way === observation.failure);
  const { status, form } = observation;
  // Data in an unusual form is no page: it may be an acceptance.
  if (isAccepted(observation)) return form === 'markup' ? `page ${status}` : undefined;
  if (transportReason(observation) === undefined || BUSY.includes(status)) return undefined;
  return `${status}`;
}
const WAYS = ['reset', 'timeout', 'protocol'] as const;
const BUSY: readonly number[] = [408, 425, 429];
