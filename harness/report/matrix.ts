import {
  type Contract,
  DIMENSIONS,
  type Family,
  type HeaderDimension,
  type HeaderLines,
} from '../contract/contract.ts';
import { bodyOf, contentTypeOf } from '../plan/request.ts';

/** What the values of cases mean, so that a report can be read without the suite. */
export interface ReportedMatrix {
  readonly operations: readonly {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly scope: string;
    /** The request body, by the value of the dimension `body`. Empty if the operation takes none. */
    readonly bodies: Readonly<Record<string, ReportedBody>>;
  }[];
  readonly kinds: Readonly<Record<string, Family>>;
  readonly headers: Readonly<Record<HeaderDimension, HeaderLines>>;
  /** Meanings by dimension and value, in the order of matrix.yaml. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface ReportedBody {
  readonly contentType: string;
  readonly text: string;
}

export function reportMatrix({ operations, matrix }: Contract): ReportedMatrix {
  const { headers, dimensions, kinds } = matrix;
  return {
    operations: operations.map((operation) => {
      const { id, method, path, scope } = operation;
      const bodies = Object.keys(dimensions.body).flatMap((value) => {
        const text = bodyOf(operation, value);
        return text === undefined ? [] : [[value, { contentType: contentTypeOf(value), text }] as const];
      });
      return { id, method, path, scope, bodies: Object.fromEntries(bodies) };
    }),
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
