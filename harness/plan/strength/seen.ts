import { type Count, codesOf, createCombinations, STRENGTHS, type Strength } from './combinations.ts';
import type { Isolated } from './isolation.ts';

/** For each strength, how many combinations exist, and how many of them a run sees. */
export type Seen = Readonly<Record<Strength, Count>>;

/**
 * What a run can see: a combination of values beside a rule is seen if a case is sent that isolates it.
 * @param known every isolating case that the tokens at hand allow.
 * @param sent the ids of the cases that are sent.
 */
export function seenBy(known: readonly Isolated[], sent: { has(id: string): boolean }): Seen {
  const codes = codesOf(known);
  const counted = STRENGTHS.map((strength) => {
    const combinations = createCombinations(known, strength, codes);
    for (const one of known) if (sent.has(one.id)) combinations.add(one);
    return [strength, combinations.count()] as const;
  });
  return Object.fromEntries(counted) as Seen;
}

/** A count in per cent. It is 100 only if everything is seen, and 0 if nothing is, also if there is nothing to see. */
export function percentOf({ seen, all }: Count): number {
  if (seen === 0) return 0;
  return seen === all ? 100 : Math.min(99, Math.max(1, Math.floor((100 * seen) / all)));
}
