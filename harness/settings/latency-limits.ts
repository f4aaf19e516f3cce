import { repeatedIn } from '../contract/collections.ts';
import { configurationError, didYouMean } from '../contract/configuration-error.ts';
import type { Contract } from '../contract/contract.ts';

/** What a limit is about: the time within which half, 95 % or 99 % of the requests are answered, or all of them. */
export const MEASURES = ['p50', 'p95', 'p99', 'max'] as const;

export type Measure = (typeof MEASURES)[number];

/** A limit of `--max-latency`. */
export interface LatencyLimit {
  /** Absent for every operation that has no limit of its own for the same measure. */
  readonly operation?: string;
  readonly measure: Measure;
  readonly ms: number;
}

/** Reads limits such as `p95=500` and `chat:p95=5000`. @throws a configuration error for anything else, or two limits of the same. */
export function readLatencyLimits(
  texts: readonly string[],
  { operations, mcp }: Pick<Contract, 'operations' | 'mcp'>,
): readonly LatencyLimit[] | undefined {
  if (texts.length === 0) return undefined;
  const known = [...operations, ...mcp].map(({ id }) => id);
  const limits = texts.map((text) => readLimit(text, known));
  const [twice] = repeatedIn(limits.map(nameOfLimit));
  if (twice === undefined) return limits;
  throw configurationError(`--max-latency has two limits for ${twice}; leave one of them out`);
}

function readLimit(text: string, operations: readonly string[]): LatencyLimit {
  const [, operation, name, ms] = /^(?:([a-z-]+):)?([a-z0-9]+)=([1-9]\d{0,6})$/.exec(text) ?? [];
  const measure = MEASURES.find((known) => known === name);
  if (measure === undefined)
    throw configurationError(
      `--max-latency must be ${MEASURES.join(', ')} with a whole number of milliseconds from 1 to 9999999, such as p95=500 or chat:p95=5000, not ${JSON.stringify(text)}; give the flag once for each limit`,
    );
  if (operation === undefined) return { measure, ms: Number(ms) };
  if (!operations.includes(operation))
    throw configurationError(
      `--max-latency ${text}: there is no operation ${operation}${didYouMean(operation, operations) || `; there are ${operations.join(', ')}`}`,
    );
  return { operation, measure, ms: Number(ms) };
}

function nameOfLimit({ operation, measure }: LatencyLimit): string {
  return operation === undefined ? measure : `${operation}:${measure}`;
}

/** A limit as the flag names it: `chat:p95=5000`. */
export function limitInWords(limit: LatencyLimit): string {
  return `${nameOfLimit(limit)}=${limit.ms}`;
}
