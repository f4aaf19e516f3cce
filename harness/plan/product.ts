import { type Contract, DIMENSIONS, type Dimension, operationOf, type Values } from '../contract/contract.ts';
import { formOf, heldOrMissing } from '../contract/holdings.ts';
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

/** The values that a case has so far, while its dimensions get values one after another. */
export type Row = Readonly<Partial<Values>>;

/**
 * Every combination of values that is not excluded.
 * @param keeps whether a row may become a case. It is asked after each dimension, so that it can end a branch early.
 */
export function product(contract: Contract, factors: Factors, keeps: (row: Row) => boolean = () => true): Case[] {
  const { exclusions, kinds } = contract.matrix;
  let rows: Row[] = [{}];
  for (const dimension of DIMENSIONS) {
    const naming = exclusions.filter(({ when }) =>
      [dimension, ...traitsOf(dimension)].some((aspect) => aspect in when),
    );
    rows = rows
      .flatMap((row) => factors[dimension].map((value) => ({ ...row, [dimension]: value }) as Row))
      .map((row) => (traitsOf(dimension).length > 0 ? { ...row, ...traitValues(contract, kinds, row) } : row))
      .filter((row) => exclusionOf(naming, row) === undefined && keeps(row));
  }
  return rows.map((row) => makeCase(contract, row as Values));
}

/** The traits that a dimension decides. */
function traitsOf(dimension: Dimension): readonly string[] {
  if (dimension === 'kind') return ['family'];
  return dimension === 'holding' ? ['holding-form', 'scope'] : [];
}

/** The traits of a row that has an operation and a kind. */
function traitValues(
  contract: Contract,
  kinds: Contract['matrix']['kinds'],
  { operation, kind = '', holding }: Row,
): Row {
  const family = kinds[kind]?.family ?? 'none';
  if (holding === undefined) return { family };
  const { scope } = operationOf(contract, operation ?? '');
  return { family, 'holding-form': formOf(holding), scope: heldOrMissing(contract, holding, scope) };
}
