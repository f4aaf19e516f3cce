import { type Aspect, type Contract, type Dimension, operationOf, type Values } from '../contract/contract.ts';
import { formOf, heldOrMissing } from '../contract/holdings.ts';
import { type Case, decidedBy, exclusionOf, makeCase, neutralCase, type Unit, unitsIn, valuesOf } from './case.ts';

/** The values that each dimension can take for one operation and kind. */
export type Factors = ReadonlyMap<Dimension, readonly string[]>;

export function factorsOf(contract: Contract, unit: Unit): Factors {
  const operation = operationOf(contract, unit.operation);
  const kind = contract.matrix.kinds[unit.kind];
  if (!kind) throw new Error(`no kind ${unit.kind} in the contract`);
  return new Map(
    contract.dimensions.map((dimension) => [
      dimension,
      dimension === 'kind' ? [unit.kind] : valuesOf(contract, operation, kind, dimension),
    ]),
  );
}

/** The values that a case has so far, while its dimensions get values one after another. */
export type Row = Readonly<Partial<Record<Aspect, string | undefined>>>;

/** Every combination of values that is not excluded. @param keeps is asked after each dimension, so that it can end a branch early. */
export function product(contract: Contract, factors: Factors, keeps: (row: Row) => boolean = () => true): Case[] {
  const { exclusions, kinds } = contract.matrix;
  const steps = contract.dimensions.map((dimension) => {
    const decides = decidedBy(dimension);
    const naming = exclusions.filter(({ when }) => decides.some((aspect) => aspect in when));
    return { dimension, decides, naming, values: factors.get(dimension) ?? [] };
  });
  const cases: Case[] = [];
  // One row for all cases: to copy it for each value takes most of the time.
  const row: { -readonly [aspect in keyof Row]: Row[aspect] } = {};
  const extend = (index: number): void => {
    const step = steps[index];
    if (!step) {
      cases.push(makeCase(contract, row as Values));
      return;
    }
    for (const value of step.values) {
      row[step.dimension] = value;
      if (step.dimension === 'kind') row.family = kinds[value]?.family ?? 'none';
      if (step.dimension === 'holding') Object.assign(row, holdingTraits(contract, row.operation, value));
      if (exclusionOf(step.naming, row) === undefined && keeps(row)) extend(index + 1);
    }
    for (const aspect of step.decides) row[aspect] = undefined;
  };
  extend(0);
  return cases;
}

/** A request with each token of depth full, which is well-made but for the token. */
export function casesOfTokens(contract: Contract): Case[] {
  const wellMade = contract.dimensions.filter((dimension) => dimension !== 'validity' && dimension !== 'holding');
  return unitsIn(contract).flatMap((unit) => {
    const { values } = neutralCase(contract, unit.operation, unit.kind);
    const keeps = (row: Row) => wellMade.every((dimension) => [undefined, values[dimension]].includes(row[dimension]));
    return product(contract, factorsOf(contract, unit), keeps);
  });
}

function holdingTraits(contract: Contract, operation = '', holding: string): Row {
  const { scopes } = operationOf(contract, operation);
  return { 'holding-form': formOf(holding), scope: heldOrMissing(contract, holding, scopes) };
}
