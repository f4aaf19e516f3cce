import { type Count, createCombinations } from './combinations.ts';
import type { Isolated } from './isolation.ts';
import { STRENGTHS, type Strength } from './numbering.ts';

/** For each strength, how many combinations exist, and how many of them a run sees. */
export type Seen = Readonly<Record<Strength, Count>>;

/**
 * What a run can see: a combination of values beside a rule is seen if a case is sent that isolates it.
 * @param known every isolating case that the tokens at hand allow.
 * @param sent the ids of the cases that are sent.
 */
export function seenBy(known: readonly Isolated[], sent: { has(id: string): boolean }): Seen {
  const combinations = createCombinations(known, STRENGTHS);
  for (const one of known) if (sent.has(one.id)) combinations.add(one);
  return { 1: combinations.count(1), 2: combinations.count(2), 3: combinations.count(3) };
}

/** A count in per cent. It is 100 only if everything is seen, and 0 if nothing is, also if there is nothing to see. */
export function percentOf({ seen, all }: Count): number {
  if (seen === 0) return 0;
  return seen === all ? 100 : Math.min(99, Math.max(1, Math.floor((100 * seen) / all)));
}
