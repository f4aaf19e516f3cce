import { type Contract, type Dimension, operationOf, type Values } from '../../contract/contract.ts';
import { exclusionOf, isCase, makeCase, neutralCase, valuesOf } from '../case.ts';
import { type Isolated, isolationOf } from './isolation.ts';

/** The case with a well-made value in one dimension, or else the first that shows the same rule. Undefined if it has that already. */
export function towardsNeutral(contract: Contract, from: Isolated, dimension: Dimension): Isolated | undefined {
  const { operation, kind } = from.values;
  const wellMade = neutralCase(contract, operation, kind).values[dimension] ?? '';
  for (const value of [wellMade, ...choicesIn(contract, from.values, dimension)]) {
    if (value === from.values[dimension]) return undefined;
    const found = varied(contract, from, dimension, value);
    if (found) return found;
  }
  return undefined;
}

/** The cases that show the same requirement and differ in one dimension, for all dimensions. */
export function valuesBeside(contract: Contract, from: Isolated): readonly Isolated[] {
  return contract.dimensions.flatMap((dimension) =>
    choicesIn(contract, from.values, dimension).flatMap((value) => varied(contract, from, dimension, value) ?? []),
  );
}

function choicesIn(contract: Contract, values: Values, dimension: Dimension): readonly string[] {
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
  if (from.values[dimension] === value) return undefined;
  const changed = { ...from.values, [dimension]: value };
  for (const dimensions of dimension === 'kind' ? ofOtherKind(contract, changed) : [changed]) {
    const found = isCase(contract, dimensions) ? makeCase(contract, dimensions) : undefined;
    if (!found || exclusionOf(contract.matrix.exclusions, found.values) !== undefined) continue;
    const isolated = isolationOf(contract, found);
    if (isolated && requirementOf(contract, isolated) === requirementOf(contract, from)) return isolated;
  }
  return undefined;
}

/** The same request with a token of another kind, or with the headers that this kind needs. */
function ofOtherKind(contract: Contract, changed: Values): readonly Values[] {
  const { neutral } = contract.matrix.kinds[changed.kind] ?? {};
  return [changed, { ...changed, ...neutral }].flatMap((values) => fittedToKind(contract, values));
}

/** Gives every dimension whose value the kind cannot have each value that it can have. */
function fittedToKind(contract: Contract, changed: Values): readonly Values[] {
  return contract.dimensions.reduce<readonly Values[]>(
    (all, name) => {
      const choices = choicesIn(contract, changed, name);
      return choices.includes(changed[name] ?? '')
        ? all
        : all.flatMap((one) => choices.map((choice) => ({ ...one, [name]: choice })));
    },
    [changed],
  );
}

/** The requirement whose rule a case shows. Undefined if it must be accepted. */
export function requirementOf({ rules }: Contract, { rule }: Isolated): string | undefined {
  return rules.refusals.find(({ id }) => id === rule)?.requirement;
}
