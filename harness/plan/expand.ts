import type { Contract, Depth } from '../contract/contract.ts';
import { type Case, exclusionOf, neutralCase } from './case.ts';
import { coreCases } from './core.ts';
import { coveringArray } from './pairwise.ts';
import { factorsOf, product } from './product.ts';

/** Every case of a depth, each once: ordered by operation, then by kind. */
export function expand(contract: Contract, depth: Depth): readonly Case[] {
  const cases = new Map<string, Case>();
  for (const { id: operation } of contract.operations)
    for (const kind of Object.keys(contract.matrix.kinds))
      for (const testCase of casesOf(contract, depth, operation, kind)) cases.set(testCase.id, testCase);
  return [...cases.values()];
}

/** The cases of a depth. */
export type CasesAt = (depth: Depth) => readonly Case[];

/**
 * Gives the cases of each depth, and expands each depth only once. Depth full takes half a second, and a run needs it
 * several times: to mint tokens, to plan and to read a baseline.
 */
export function expandOnce(contract: Contract): CasesAt {
  const known = new Map<Depth, readonly Case[]>();
  return (depth) => {
    const cases = known.get(depth) ?? expand(contract, depth);
    known.set(depth, cases);
    return cases;
  };
}

function casesOf(contract: Contract, depth: Depth, operation: string, kind: string): readonly Case[] {
  const factors = factorsOf(contract, operation, kind);
  const admits = (exclusions: Contract['matrix']['exclusions']) => (candidate: Case) =>
    exclusionOf(exclusions, candidate.values) === undefined;
  const inProduct = admits(contract.matrix.exclusions);
  switch (depth) {
    case 'core': {
      const inCore = admits(contract.matrix.depths.core.exclusions);
      const cases = coreCases(contract, neutralCase(contract, operation, kind), factors);
      return cases.filter((candidate) => inProduct(candidate) && inCore(candidate));
    }
    case 'pairwise': {
      const covering = coveringArray(contract, factors, neutralCase(contract, operation, kind).values, inProduct);
      return [...casesOf(contract, 'core', operation, kind), ...covering];
    }
    case 'full':
      return product(contract, factors);
  }
}
