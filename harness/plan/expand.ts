import type { Contract, Depth } from '../contract/contract.ts';
import { type Case, exclusionOf, neutralCase } from './case.ts';
import { coreCases } from './core.ts';
import { factorsOf } from './factors.ts';
import { coveringArray } from './pairwise.ts';
import { product } from './product.ts';

/** Every case of a depth, each once: by operation, by kind, then as the dimensions list their values. */
export function expand(contract: Contract, depth: Depth): readonly Case[] {
  const cases = new Map<string, Case>();
  for (const { id: operation } of contract.operations)
    for (const kind of Object.keys(contract.matrix.kinds))
      for (const found of ofKind(contract, depth, operation, kind)) cases.set(found.id, found);
  return [...cases.values()];
}

/** The cases of a depth. */
export type CasesAt = (depth: Depth) => readonly Case[];

/**
 * The cases of each depth, expanded when they are first asked for. The product takes half a second, and a run asks for it
 * to mint tokens, to plan and to read a baseline: it makes one of these and passes it on.
 */
export function expandOnce(contract: Contract): CasesAt {
  const known = new Map<Depth, readonly Case[]>();
  return (depth) => {
    const cases = known.get(depth) ?? expand(contract, depth);
    known.set(depth, cases);
    return cases;
  };
}

function ofKind(contract: Contract, depth: Depth, operation: string, kind: string): readonly Case[] {
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
      return [...ofKind(contract, 'core', operation, kind), ...covering];
    }
    case 'full':
      return product(contract, factors);
  }
}
