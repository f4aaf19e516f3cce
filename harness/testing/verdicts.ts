import { type CaseVerdict, gather, judgeCases } from '../judge/judge-cases.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { Exchange, Role } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { accepted, contract, exchangeOf, plannedCase, planWith } from './small-world.ts';

/** One plan, the case of it that must be accepted, and what is decided of a few exchanges. */
export const plan = planWith();
export const full = plannedCase(plan, 'search', 'USER');

export type Sent = readonly [PlannedCase, Observation, Role?];

/** What is decided of the first case, the rest being sent around it. */
export function decide(sent: readonly Sent[], trusted = false): CaseVerdict {
  const exchanges = sent.map(([planned, seen, role], index): Exchange => exchangeOf(planned, seen, index + 1, role));
  const [first] = sent;
  const [verdict] = first ? judgeCases({ contract, plan, trusted }, [first[0]], gather(exchanges)) : [];
  if (!verdict) throw new Error('nothing was sent');
  return verdict;
}

export const alive: Sent = [full, accepted, 'control'];
export const several = (planned: PlannedCase, ...answers: readonly Observation[]): Sent[] =>
  answers.map((seen) => [planned, seen]);
