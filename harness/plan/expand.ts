import type { Contract, Depth } from '../contract/contract.ts';
import type { Case } from './case.ts';
import { factorsOf, product } from './product.ts';
import { casesOfStrength } from './strength/cases-of-strength.ts';

/** Every case of a depth, each once: ordered by operation, then by kind. */
export function expand(contract: Contract, depth: Depth): readonly Case[] {
  switch (depth) {
    case 'core':
      return casesOfStrength(contract, 1);
    case 'pairwise':
      return casesOfStrength(contract, 2);
    case 'triples':
      return casesOfStrength(contract, 3);
    case 'full':
      return contract.operations.flatMap(({ id }) =>
        Object.keys(contract.matrix.kinds).flatMap((kind) => product(contract, factorsOf(contract, id, kind))),
      );
  }
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
