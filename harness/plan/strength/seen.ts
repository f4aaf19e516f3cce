import type { Contract } from '../../contract/contract.ts';
import { unitOf } from '../group.ts';
import { type Count, createCombinations } from './combinations.ts';
import { rowFinder } from './documented-rows.ts';
import type { Isolated } from './isolation.ts';
import { IN_FRAMES, numberingOf, STRENGTHS, type Strength } from './numbering.ts';

/** How many documented rows exist, and combinations of one to three values beside a rule, and how many of them a run sees. */
export type Seen = Readonly<Record<0 | Strength, Count>>;

/**
 * What a run can see, counted within each operation and kind: a row is seen if a case is sent that shows it, and a
 * combination of values beside a rule if a case is sent that isolates the rule.
 * @param known every isolating case that the tokens at hand allow.
 * @param sent the ids of the cases that are sent.
 */
export function seenBy(contract: Contract, known: readonly Isolated[], sent: { has(id: string): boolean }): Seen {
  const combinations = createCombinations(known, STRENGTHS, numberingOf(known, IN_FRAMES));
  for (const one of known) if (sent.has(one.id)) combinations.add(one);
  return {
    0: rowsSeen(contract, known, sent),
    1: combinations.count(1),
    2: combinations.count(2),
    3: combinations.count(3),
  };
}

/** The documented rows. A row that some case shows of which nothing is left open is seen only in such a case. */
export function rowsSeen(contract: Contract, known: readonly Isolated[], sent: { has(id: string): boolean }): Count {
  const rowsOf = rowFinder(contract);
  const rows = { clear: new Set<string>(), open: new Set<string>() };
  const seen = { clear: new Set<string>(), open: new Set<string>() };
  for (const one of known)
    for (const row of rowsOf(one)) {
      const found = `${unitOf(one.values)} ${row}`;
      const clearness = one.isClear ? 'clear' : 'open';
      rows[clearness].add(found);
      if (sent.has(one.id)) seen[clearness].add(found);
    }
  const all = [...new Set([...rows.clear, ...rows.open])];
  return {
    seen: all.filter((row) => (rows.clear.has(row) ? seen.clear : seen.open).has(row)).length,
    all: all.length,
  };
}

/** A count in per cent. It is 100 only if everything is seen, and 0 if nothing is, also if there is nothing to see. */
export function percentOf({ seen, all }: Count): number {
  if (seen === 0) return 0;
  return seen === all ? 100 : Math.min(99, Math.max(1, Math.floor((100 * seen) / all)));
}
