import { groupedBy } from '../contract/collections.ts';
import type { Plan } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { isAccepted, type Observation, transportReason } from '../record/observation.ts';

/** `lost`: no answer came, or one of the network or a gateway (outcomes 3). */
export const OUTCOMES = ['accepted', 'refused', 'lost'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** How long the requests to an operation took that had one outcome. Times are in milliseconds. */
export interface Latency {
  readonly operation: string;
  readonly outcome: Outcome;
  readonly requests: number;
  readonly median: number;
  /** 95 % of the requests took no longer. */
  readonly percentile95: number;
  readonly percentile99: number;
  readonly slowest: number;
}

/** The times of all requests to operations, those of checks included. A request without a time counts nowhere. */
export function latencyOf({ cases }: Plan, exchanges: readonly Exchange[]): readonly Latency[] {
  const timed = exchanges.flatMap(({ case: id, step, observation, ms }) => {
    const operation = cases.get(id)?.values.operation ?? step?.operation;
    return operation === undefined || ms === undefined ? [] : [{ operation, outcome: outcomeOf(observation), ms }];
  });
  return [...groupedBy(timed, ({ operation }) => operation)].flatMap(([operation, ofOperation]) => {
    const byOutcome = groupedBy(ofOperation, ({ outcome }) => outcome);
    return OUTCOMES.flatMap((outcome): Latency[] => {
      const sorted = (byOutcome.get(outcome) ?? []).map(({ ms }) => ms).sort((a, b) => a - b);
      if (sorted.length === 0) return [];
      const within = (percent: number) => sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0;
      const percentiles = {
        median: within(50),
        percentile95: within(95),
        percentile99: within(99),
        slowest: within(100),
      };
      return [{ operation, outcome, requests: sorted.length, ...percentiles }];
    });
  });
}

function outcomeOf(observation: Observation): Outcome {
  if (transportReason(observation) !== undefined) return 'lost';
  return isAccepted(observation) ? 'accepted' : 'refused';
}

/** How long a run took until its last answer, its waits included. Undefined if no exchange has a time. */
export function durationOf(exchanges: readonly Pick<Exchange, 'at'>[]): number | undefined {
  return exchanges.reduce<number | undefined>(
    (last, { at }) => (at === undefined ? last : Math.max(at, last ?? 0)),
    undefined,
  );
}

/** What the requests took together, in milliseconds, without the waits of the suite. Undefined if none has a time. */
export function timeOf(exchanges: readonly Pick<Exchange, 'ms'>[]): number | undefined {
  return exchanges.reduce<number | undefined>((sum, { ms }) => (ms === undefined ? sum : ms + (sum ?? 0)), undefined);
}
