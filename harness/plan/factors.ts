import { type Contract, DIMENSIONS, type Dimension, operationOf } from '../contract/contract.ts';
import { valuesOf } from './case.ts';

/** The values that each dimension can take for one operation and kind. */
export type Factors = Readonly<Record<Dimension, readonly string[]>>;

export function factorsOf(contract: Contract, operationId: string, kindId: string): Factors {
  const operation = operationOf(contract, operationId);
  const kind = contract.matrix.kinds[kindId];
  if (!kind) throw new Error(`no kind ${kindId} in the contract`);
  const factors = DIMENSIONS.map((dimension) => [dimension, valuesOf(contract, operation, kind, dimension)] as const);
  return { ...(Object.fromEntries(factors) as Factors), kind: [kindId] };
}
