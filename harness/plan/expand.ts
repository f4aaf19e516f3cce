import type { Contract, Depth, Prepared } from '../contract/contract.ts';
import { onceFor } from '../contract/once.ts';
import { rowsOf } from '../contract/table.ts';
import { type Case, caseOfRow, unitsIn } from './case.ts';
import { factorsOf, product } from './product.ts';
import { casesOfStrength } from './strength/cases-of-strength.ts';

/** Every case of a depth, each once: ordered by operation, then by kind. */
export function expand(contract: Contract, depth: Depth): readonly Case[] {
  switch (depth) {
    case 'core':
    case 'pairwise':
    case 'triples':
      return preparedCases(contract, depth) ?? casesOfStrength(contract, STRENGTH[depth]);
    case 'full':
      return unitsIn(contract).flatMap((unit) => product(contract, factorsOf(contract, unit)));
  }
}

const STRENGTH = { core: 1, pairwise: 2, triples: 3 } as const;

function preparedCases(contract: Contract, depth: keyof Prepared['depths']): readonly Case[] | undefined {
  const table = contract.prepared?.depths[depth];
  return table && rowsOf(table).map((row) => caseOfRow(contract, row));
}

export type CasesAt = (depth: Depth) => readonly Case[];

/** Gives the cases of each depth, each expanded once: depth full takes half a second, and a run needs it several times. */
export function expandOnce(contract: Contract): CasesAt {
  return onceFor((depth) => expand(contract, depth));
}
