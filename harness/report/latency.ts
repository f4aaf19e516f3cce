import { amount } from '../contract/amounts.ts';
import { groupedBy } from '../contract/collections.ts';
import { type Ending, EXIT_CODES } from '../judge/ending.ts';
import type { Plan } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { isAccepted, type Observation, transportReason } from '../record/observation.ts';
import type { LatencyLimit, Measure } from '../settings/latency-limits.ts';

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

/** How a run ends, with its latency: one that would end with exit code 0 or 4 is too slow if it exceeds a limit. */
export type RunEnding = Ending | 'too-slow';

/** A limit of `--max-latency`, and how long the accepted requests to an operation took. */
export interface MeasuredLimit {
  readonly operation: string;
  readonly measure: Measure;
  /** In milliseconds, as `took`. */
  readonly limit: number;
  /** Null if no request to the operation was accepted. */
  readonly took: number | null;
  readonly requests: number;
  readonly exceeded: boolean;
}

/**
 * Compares limits with what was measured. Only accepted requests count: a fast refusal is no sign of a fast target, and a lost
 * request has a time of its own. A limit that names an operation stands in for the general one.
 */
export function measuredLimits(limits: readonly LatencyLimit[], latency: readonly Latency[]): readonly MeasuredLimit[] {
  const accepted = latency.filter(({ outcome }) => outcome === 'accepted');
  const named = ({ measure }: LatencyLimit) =>
    limits.flatMap((limit) => (limit.measure === measure ? (limit.operation ?? []) : []));
  return limits.flatMap((limit) => {
    const { operation } = limit;
    if (operation !== undefined) return measured(operation, limit, accepted);
    const others = accepted.map((row) => row.operation).filter((id) => !named(limit).includes(id));
    return others.map((id) => measured(id, limit, accepted));
  });
}

function measured(operation: string, { measure, ms }: LatencyLimit, accepted: readonly Latency[]): MeasuredLimit {
  const row = accepted.find((one) => one.operation === operation);
  const took = row ? row[TIMES[measure]] : null;
  return { operation, measure, limit: ms, took, requests: row?.requests ?? 0, exceeded: took !== null && took > ms };
}

const TIMES = { p50: 'median', p95: 'percentile95', p99: 'percentile99', max: 'slowest' } as const satisfies Readonly<
  Record<Measure, keyof Latency>
>;

export interface ContractEnd {
  readonly ending: Ending;
  readonly line: string;
  readonly exitCode: number;
}

/**
 * How a run ends that may have exceeded a limit. What deviates and what is inconclusive come first: the contract matters more
 * than the time, and the times of a run that lost its target say little.
 */
export function endWithLimits(
  byContract: ContractEnd,
  limits: readonly MeasuredLimit[],
): Omit<ContractEnd, 'ending'> & { readonly ending: RunEnding; readonly byContract: ContractEnd } {
  if (!limits.some(({ exceeded }) => exceeded) || GRAVER.includes(byContract.ending))
    return { ...byContract, byContract };
  const line = `too slow: ${exceededInWords(limits)}; otherwise ${byContract.line}`;
  return { ending: 'too-slow', line, exitCode: EXIT_CODES.deviates, byContract };
}

const GRAVER: readonly Ending[] = ['deviates', 'inconclusive'];

/** The limits that were exceeded: `search p95 612 ms, limit 500 ms; chat max 9,120 ms, limit 5,000 ms`. */
export function exceededInWords(limits: readonly MeasuredLimit[]): string {
  return limits.flatMap((limit) => (limit.exceeded ? [measuredInWords(limit)] : [])).join('; ');
}

/** `search p95 612 ms, limit 500 ms`. */
export function measuredInWords({ operation, measure, limit, took }: MeasuredLimit): string {
  const inMs = (ms: number) => `${amount(ms)} ms`;
  return `${operation} ${measure} ${took === null ? 'not measured' : inMs(took)}, limit ${inMs(limit)}`;
}
