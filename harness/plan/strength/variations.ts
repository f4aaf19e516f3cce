import { type Contract, DIMENSIONS, type Dimension, operationOf } from '../../contract/contract.ts';
import { exclusionOf, isCase, makeCase, neutralCase, valuesOf } from '../case.ts';
import { type Isolated, isolationOf } from './isolation.ts';

/**
 * The case with the value of a well-made request in one dimension. If it then shows another requirement, with the first
 * value that shows the same one. Undefined if it has that value already.
 */
export function towardsNeutral(contract: Contract, from: Isolated, dimension: Dimension): Isolated | undefined {
  const { operation, kind } = from.values;
  const wellMade = neutralCase(contract, operation, kind).values[dimension];
  for (const value of [wellMade, ...choicesIn(contract, from, dimension)]) {
    if (value === from.values[dimension]) return undefined;
    const found = varied(contract, from, dimension, value);
    if (found) return found;
  }
  return undefined;
}

/** The cases that show the same requirement and differ in one dimension, for all dimensions. */
export function valuesBeside(contract: Contract, from: Isolated): readonly Isolated[] {
  return DIMENSIONS.flatMap((dimension) =>
    choicesIn(contract, from, dimension).flatMap((value) => varied(contract, from, dimension, value) ?? []),
  );
}

function choicesIn(contract: Contract, { values }: Isolated, dimension: Dimension): readonly string[] {
  const kind = contract.matrix.kinds[values.kind];
  switch (dimension) {
    case 'operation':
      return contract.operations.map(({ id }) => id);
    case 'kind':
      return Object.keys(contract.matrix.kinds);
    default:
      return kind ? valuesOf(contract, operationOf(contract, values.operation), kind, dimension) : [];
  }
}

/** The case with another value in one dimension. Undefined if it is the same case, no case, or shows another requirement. */
function varied(contract: Contract, from: Isolated, dimension: Dimension, value: string): Isolated | undefined {
  const dimensions = { ...from.values, [dimension]: value };
  if (from.values[dimension] === value || !isCase(contract, dimensions)) return undefined;
  const testCase = makeCase(contract, dimensions);
  if (exclusionOf(contract.matrix.exclusions, testCase.values) !== undefined) return undefined;
  const isolated = isolationOf(contract, testCase);
  return isolated && requirementOf(contract, isolated) === requirementOf(contract, from) ? isolated : undefined;
}

function requirementOf({ rules }: Contract, { rule }: Isolated): string | undefined {
  return rules.refusals.find(({ id }) => id === rule)?.requirement;
}
