import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { isAccepted } from '../record/observation.ts';

/** A case that the target accepted, and the ordinal of the last acceptance of all. */
export interface LastAcceptance {
  readonly planned: PlannedCase;
  readonly seq: number;
}

/** The case that was accepted last; one with a documented success, since another may cost more. */
export function lastAcceptance(plan: Plan, exchanges: readonly Exchange[]): LastAcceptance | undefined {
  const last = exchanges.findLast(({ observation }) => isAccepted(observation));
  const cheap = exchanges.findLast(
    ({ case: id, observation }) =>
      isAccepted(observation) &&
      observation.kind === 'answer' &&
      observation.schemaErrors !== undefined &&
      plan.cases.has(id),
  );
  const planned = plan.cases.get(cheap?.case ?? last?.case ?? '');
  return planned && last && { planned, seq: last.seq };
}
