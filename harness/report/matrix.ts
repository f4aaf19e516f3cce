import {
  type Contract,
  DIMENSIONS,
  type Family,
  type HeaderDimension,
  type HeaderLines,
} from '../contract/contract.ts';

/** The words of the matrix, so that a report can be read without the suite. */
export interface ReportedMatrix {
  readonly operations: readonly {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly scope: string;
  }[];
  readonly kinds: Readonly<Record<string, Family>>;
  readonly headers: Readonly<Record<HeaderDimension, HeaderLines>>;
  /** Dimension, value, meaning; in the order of matrix.yaml. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export function reportMatrix({ operations, matrix }: Contract): ReportedMatrix {
  const { headers, dimensions, kinds } = matrix;
  return {
    operations: operations.map(({ id, method, path, scope }) => ({ id, method, path, scope })),
    kinds: Object.fromEntries(Object.entries(kinds).map(([kind, { family }]) => [kind, family])),
    headers,
    values: Object.fromEntries(
      DIMENSIONS.flatMap((dimension) =>
        dimension === 'operation' || dimension === 'kind' || dimension === 'holding'
          ? []
          : [[dimension, dimensions[dimension]]],
      ),
    ),
  };
}
