import type { Latency } from '../report/latency.ts';
import { type MeasuredLimit, measuredInWords } from '../report/latency-limits.ts';
import { amount } from './amounts.ts';

/** A row for each operation: how many requests had which outcome, and how long they took. Empty if the journal has no times. */
export function latencyRows(latency: readonly Latency[]): readonly (readonly string[])[] {
  const operations = [...new Set(latency.map(({ operation }) => operation))];
  const rows = operations.map((operation) => {
    const outcomes = latency.filter((one) => one.operation === operation).map(timesOf);
    return `${operation} ${outcomes.join(', ')}`;
  });
  return rows.map((row, index) => (index === 0 ? ['latency', `${row} (median / 95 % within / slowest)`] : ['', row]));
}

function timesOf({ outcome, requests, median, percentile95, slowest }: Latency): string {
  return `${amount(requests)} ${outcome} in ${[median, percentile95, slowest].map(amount).join(' / ')} ms`;
}

/** A row for each limit. Empty without one. */
export function limitRows(limits: readonly MeasuredLimit[]): readonly (readonly string[])[] {
  return limits.map((limit, index) => [
    index === 0 ? 'max latency' : '',
    `${measuredInWords(limit)}${limit.exceeded ? ': exceeded' : ''}`,
  ]);
}
