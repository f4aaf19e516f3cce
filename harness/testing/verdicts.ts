import type { Missed } from '../judge/conjunction.ts';
import { type CaseVerdict, gather, judgeCases } from '../judge/judge-cases.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { Exchange, Role } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { accepted, contract, exchangeOf, plannedCase, planWith } from './small-world.ts';

export const plan = planWith();
/** A search with the full USER token, which must be accepted. */
export const full = plannedCase(plan, 'search', 'USER');

const KINDS = ['USER', 'GLOBAL', 'OAUTH', 'OKTA', 'ONELOGIN', 'GOOGLE', 'AZURE'] as const;
/** A search with an expired token, for each kind. */
export const expired = Object.fromEntries(
  KINDS.map((kind) => [kind, plannedCase(plan, 'search', kind, { validity: 'expired' })]),
) as Record<(typeof KINDS)[number], PlannedCase>;

export type Sent = readonly [PlannedCase, Observation, Role?];

/** The verdict on the case that is sent first, judged on everything that is sent. */
export function decide(sent: readonly Sent[], trusted = false, of: Plan = plan): CaseVerdict {
  const exchanges = sent.map(([planned, seen, role], index): Exchange => exchangeOf(planned, seen, index + 1, role));
  const [first] = sent;
  const [verdict] = first ? judgeCases({ contract, plan: of, trusted }, [first[0]], gather(exchanges)) : [];
  if (!verdict) throw new Error('nothing was sent');
  return verdict;
}

export const acceptedControl: Sent = [full, accepted, 'control'];
/** Sends a case several times. */
export const several = (planned: PlannedCase, ...answers: readonly Observation[]): Sent[] =>
  answers.map((seen) => [planned, seen]);

/** A case that gets a wrong answer twice, with everything that the answer may be blamed on. */
export function missed(planned: PlannedCase, seen: Observation): Missed {
  const verdict = decide(several(planned, seen, seen), true);
  if (!verdict.miss) throw new Error(`${planned.id} got a right answer`);
  return { verdict: { ...verdict, miss: verdict.miss }, suspects: verdict.miss.suspects };
}
