import type { Exchange } from '../record/exchange.ts';

/**
 * How long a run took until its last answer, in milliseconds, its waits included. Undefined if nothing was sent, or if an
 * older version recorded the journal. Pure.
 */
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
