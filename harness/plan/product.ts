import { type Contract, DIMENSIONS, type Dimension } from '../contract/contract.ts';
import { formOf } from '../contract/holdings.ts';
import { type Case, exclusionOf, makeCase } from './case.ts';
import type { Factors } from './factors.ts';

/** The whole product; an exclusion prunes as soon as the dimensions that it names are chosen. */
export function product(contract: Contract, factors: Factors): Case[] {
  const { exclusions } = contract.matrix;
  let rows: Record<Dimension, string>[] = [{} as Record<Dimension, string>];
  for (const [index, dimension] of DIMENSIONS.entries()) {
    const chosen: ReadonlySet<string> = new Set([
      ...DIMENSIONS.slice(0, index + 1),
      ...(index >= HOLDING ? ['holding-form'] : []),
    ]);
    const decided = exclusions.filter(({ when }) => Object.keys(when).every((aspect) => chosen.has(aspect)));
    rows = rows
      .flatMap((row) => factors[dimension].map((value) => ({ ...row, [dimension]: value })))
      .filter((row) => exclusionOf(decided, { ...row, 'holding-form': formOf(row.holding) }) === undefined);
  }
  return rows
    .map((row) => makeCase(contract, row))
    .filter(({ values }) => exclusionOf(exclusions, values) === undefined);
}

const HOLDING = DIMENSIONS.indexOf('holding');
