import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { isAccepted } from '../record/observation.ts';

export interface LastAcceptance {
  readonly planned: PlannedCase;
  /** The ordinal of the exchange in which the target last accepted anything. */
  readonly seq: number;
}

/** The case that the target accepted last. A case with a documented success is preferred, because a chat costs more. */
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
