import covertable from 'covertable';
import { type Contract, DIMENSIONS, type Dimension, type Values } from '../contract/contract.ts';
import { type Case, makeCase } from './case.ts';
import type { Factors } from './factors.ts';

/** A covering array, and the neutral case with each pair of values that the exclusions took out of the array's rows. */
export function coveringArray(
  contract: Contract,
  factors: Factors,
  neutral: Values,
  admits: (candidate: Case) => boolean,
): Case[] {
  const length = contract.matrix.depths.pairwise.strength;
  const rows = covertable.make(factors as Record<Dimension, string[]>, { length }) as Record<Dimension, string>[];
  const [kept, dropped]: [Case[], Case[]] = [[], []];
  for (const candidate of rows.map((row) => makeCase(contract, row)))
    (admits(candidate) ? kept : dropped).push(candidate);
  const covered = new Set(kept.flatMap(({ values }) => pairsOf(values)));
  for (const { values } of dropped)
    for (const [a, b] of DIMENSION_PAIRS) {
      const repaired = makeCase(contract, { ...neutral, [a]: values[a], [b]: values[b] });
      if (covered.has(pairOf(values, a, b)) || !admits(repaired)) continue;
      kept.push(repaired);
      for (const pair of pairsOf(repaired.values)) covered.add(pair);
    }
  return kept;
}

const DIMENSION_PAIRS = DIMENSIONS.flatMap((a, index) => DIMENSIONS.slice(index + 1).map((b) => [a, b] as const));

function pairOf(values: Values, a: Dimension, b: Dimension): string {
  return `${a}:${values[a]} ${b}:${values[b]}`;
}

/** Every pair of values in a case, as text. */
export function pairsOf(values: Values): string[] {
  return DIMENSION_PAIRS.map(([a, b]) => pairOf(values, a, b));
}
