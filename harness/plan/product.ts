import { type Contract, DIMENSIONS, type Dimension, operationOf } from '../contract/contract.ts';
import { formOf } from '../contract/holdings.ts';
import { type Case, exclusionOf, makeCase, valuesOf } from './case.ts';

/** The values that each dimension can take for one operation and kind. */
export type Factors = Readonly<Record<Dimension, readonly string[]>>;

export function factorsOf(contract: Contract, operationId: string, kindId: string): Factors {
  const operation = operationOf(contract, operationId);
  const kind = contract.matrix.kinds[kindId];
  if (!kind) throw new Error(`no kind ${kindId} in the contract`);
  const factors = DIMENSIONS.map((dimension) => [dimension, valuesOf(contract, operation, kind, dimension)] as const);
  return { ...(Object.fromEntries(factors) as Factors), kind: [kindId] };
}

/** Every combination of values that is not excluded. An exclusion applies as soon as its dimensions have values. */
export function product(contract: Contract, factors: Factors): Case[] {
  const { exclusions } = contract.matrix;
  let rows: Record<Dimension, string>[] = [{} as Record<Dimension, string>];
  for (const [index, dimension] of DIMENSIONS.entries()) {
    const chosen: ReadonlySet<string> = new Set([
      ...DIMENSIONS.slice(0, index + 1),
      ...(index >= HOLDING ? ['holding-form'] : []),
    ]);
    const applicable = exclusions.filter(({ when }) => Object.keys(when).every((aspect) => chosen.has(aspect)));
    rows = rows
      .flatMap((row) => factors[dimension].map((value) => ({ ...row, [dimension]: value })))
      .filter((row) => exclusionOf(applicable, { ...row, 'holding-form': formOf(row.holding) }) === undefined);
  }
  return rows
    .map((row) => makeCase(contract, row))
    .filter(({ values }) => exclusionOf(exclusions, values) === undefined);
}

const HOLDING = DIMENSIONS.indexOf('holding');
