import type { Contract, Depth } from '../contract/contract.ts';
import { onceFor } from '../contract/once.ts';
import { rowsOf } from '../contract/table.ts';
import { type Case, caseOfRow, unitsIn } from './case.ts';
import { factorsOf, product } from './product.ts';
import { casesOfStrength } from './strength/cases-of-strength.ts';

/** Every case of a depth, each once: ordered by operation, then by kind. */
export function expand(contract: Contract, depth: Depth): readonly Case[] {
  if (depth === 'full') return unitsIn(contract).flatMap((unit) => product(contract, factorsOf(contract, unit)));
  const table = contract.prepared?.depths[depth];
  return table ? rowsOf(table).map((row) => caseOfRow(contract, row)) : casesOfStrength(contract, STRENGTH[depth]);
}

const STRENGTH = { core: 1, pairwise: 2, triples: 3 } as const;

export type CasesAt = (depth: Depth) => readonly Case[];

/** Gives the cases of each depth, each expanded once: depth full takes half a second, and a run needs it several times. */
export function expandOnce(contract: Contract): CasesAt {
  return onceFor((depth) => expand(contract, depth));
}
