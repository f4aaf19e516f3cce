import covertable from 'covertable';
import { type Contract, DIMENSIONS, type Dimension, type Values } from '../contract/contract.ts';
import { type Case, makeCase } from './case.ts';
import type { Factors } from './product.ts';

/**
 * Cases in which every possible pair of values occurs: the rows of a covering array, without the excluded ones. A pair
 * that occurs only in excluded rows gets a case of its own, the neutral case with this pair.
 * @param admits whether no exclusion applies to a case.
 */
export function coveringArray(
  contract: Contract,
  factors: Factors,
  neutral: Values,
  admits: (candidate: Case) => boolean,
): Case[] {
  const length = contract.matrix.depths.pairwise.strength;
  const rows = covertable.make(factors as Record<Dimension, string[]>, { length }) as Record<Dimension, string>[];
  const candidates = rows.map((row) => makeCase(contract, row));
  const kept = candidates.filter(admits);
  const excluded = candidates.filter((candidate) => !admits(candidate));
  const covered = new Set(kept.flatMap(({ values }) => pairsOf(values)));
  for (const { values } of excluded)
    for (const [a, b] of DIMENSION_PAIRS) {
      const candidate = makeCase(contract, { ...neutral, [a]: values[a], [b]: values[b] });
      if (covered.has(pairOf(values, a, b)) || !admits(candidate)) continue;
      kept.push(candidate);
      for (const pair of pairsOf(candidate.values)) covered.add(pair);
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
