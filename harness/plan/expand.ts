import { type Chosen, type Contract, type Depth, DIMENSIONS, type Dimension } from '../contract/contract.ts';
import { type Case, makeCase } from './case.ts';
import { factorsOf, product } from './product.ts';
import { casesOfStrength } from './strength/cases-of-strength.ts';

/** Every case of a depth, each once: ordered by operation, then by kind. */
export function expand(contract: Contract, depth: Depth): readonly Case[] {
  switch (depth) {
    case 'core':
    case 'pairwise':
    case 'triples':
      return chosenByBuild(contract, depth) ?? casesOfStrength(contract, STRENGTH[depth]);
    case 'full':
      return contract.operations.flatMap(({ id }) =>
        Object.keys(contract.matrix.kinds).flatMap((kind) => product(contract, factorsOf(contract, id, kind))),
      );
  }
}

const STRENGTH = { core: 1, pairwise: 2, triples: 3 } as const;

function chosenByBuild(contract: Contract, depth: keyof Chosen): readonly Case[] | undefined {
  return contract.chosen?.[depth].map((values) => {
    const named = DIMENSIONS.map((dimension, index) => [dimension, values[index]]);
    return makeCase(contract, Object.fromEntries(named) as Record<Dimension, string>);
  });
}

/** Chooses the cases of all depths, for the build to keep. It takes seconds. */
export function chooseAll(contract: Contract): Chosen {
  const chosen = (strength: 1 | 2 | 3) =>
    casesOfStrength(contract, strength).map(({ values }) => DIMENSIONS.map((dimension) => values[dimension]));
  return { core: chosen(1), pairwise: chosen(2), triples: chosen(3) };
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
