import {
  type Contract,
  DIMENSIONS,
  type Dimension,
  type Family,
  holds,
  type Kind,
  type Values,
} from '../contract/contract.ts';
import { formOf, heldOrMissing, holdingsOf } from '../contract/holdings.ts';
import type { Operation } from '../contract/openapi.ts';

/** One request to send, as a point in the matrix. Its id is readable, stable and unique. */
export interface Case {
  readonly id: string;
  readonly values: Values;
}
/** The values that a well-made request has where its kind says nothing else. `-` stands where a dimension has no meaning. */
const ORDINARY: Readonly<Record<Exclude<Dimension, 'operation' | 'kind'>, string>> = {
  validity: 'valid',
  holding: 'all',
  'act-as': 'absent',
  'auth-type': 'absent',
  authorization: 'bearer',
  'header-case': 'documented',
  body: 'valid',
};

/** Completes a set of dimension values with the traits that follow from it, and names the case. */
export function makeCase(contract: Contract, dimensions: Readonly<Record<Dimension, string>>): Case {
  const { operation, kind, holding } = dimensions;
  const family = contract.matrix.kinds[kind]?.family ?? 'none';
  const scope = contract.operations.find(({ id }) => id === operation)?.scope ?? '';
  const form = formOf(holding);
  const values = { ...dimensions, family, scope: heldOrMissing(contract, holding, scope), 'holding-form': form };
  return { id: caseId(dimensions, family), values };
}

/** `search/USER/expired/all/act-as:absent/auth-type:absent`; what follows is named only where it is not ordinary. */
function caseId(values: Readonly<Record<Dimension, string>>, family: Family): string {
  const parts = [values.operation, values.kind];
  if (values.validity !== '-') parts.push(values.validity, values.holding);
  parts.push(`act-as:${values['act-as']}`, `auth-type:${values['auth-type']}`);
  if (values.authorization !== ordinaryAuthorization(family)) parts.push(`authorization:${values.authorization}`);
  if (values['header-case'] !== ORDINARY['header-case']) parts.push(`header-case:${values['header-case']}`);
  if (values.body !== ORDINARY.body) parts.push(`body:${values.body}`);
  return parts.join('/');
}

/**
 * The inverse of the id: the value of a case in each dimension.
 * @param familyOf the family of a kind, which decides what an ordinary Authorization is.
 */
export function readCaseId(id: string, familyOf: (kind: string) => Family): Readonly<Record<Dimension, string>> {
  const [operation = '', kind = '', ...rest] = id.split('/');
  const hasToken = !rest[0]?.startsWith('act-as:');
  const [validity = '-', holding = '-'] = hasToken ? rest : [];
  const named = rest.slice(hasToken ? 2 : 0).map((part) => {
    const [dimension = '', ...value] = part.split(':');
    return [dimension, value.join(':')];
  });
  const ordinary = { ...ORDINARY, authorization: ordinaryAuthorization(familyOf(kind)) };
  return { ...ordinary, operation, kind, validity, holding, ...Object.fromEntries(named) };
}

/** The request of a kind that has nothing wrong with it: the centre of core, and what a denial's control falls back to. */
export function neutralCase(contract: Contract, operation: string, kind: string): Case {
  const definition = contract.matrix.kinds[kind];
  const tokenless = definition?.validities === undefined;
  return makeCase(contract, {
    ...ORDINARY,
    ...(tokenless && { validity: '-', holding: '-' }),
    ...definition?.neutral,
    operation,
    kind,
  });
}

/** The same for every operation and kind at once: every case of a plan is compared with one of these few. */
export function neutralCases(contract: Contract): (operation: string, kind: string) => Case {
  const cases = contract.operations.flatMap(({ id }) =>
    Object.keys(contract.matrix.kinds).map((kind) => neutralCase(contract, id, kind)),
  );
  const known = new Map(cases.map((found) => [`${found.values.operation} ${found.values.kind}`, found]));
  return (operation, kind) => known.get(`${operation} ${kind}`) ?? neutralCase(contract, operation, kind);
}

/** Every value that a dimension can take for a kind on an operation. */
export function valuesOf(
  contract: Contract,
  operation: Operation,
  kind: Kind,
  dimension: Dimension,
): readonly string[] {
  const { dimensions } = contract.matrix;
  switch (dimension) {
    case 'operation':
      return [operation.id];
    case 'kind':
      return [];
    case 'validity':
      return kind.validities ?? ['-'];
    case 'holding':
      return kind.holdings ? holdingsOf(contract, kind.holdings) : ['-'];
    case 'authorization':
      if (kind.authorization) return kind.authorization;
      return Object.keys(dimensions.authorization).filter((value) => value !== 'absent' && value !== 'empty');
    case 'body':
      return operation.field ? Object.keys(dimensions.body) : ['valid'];
    case 'act-as':
    case 'auth-type':
    case 'header-case':
      return Object.keys(dimensions[dimension]);
  }
}

/** The first exclusion, with its reason, that a case falls under. */
export function exclusionOf(
  exclusions: Contract['matrix']['exclusions'],
  values: Readonly<Partial<Values>>,
): string | undefined {
  return exclusions.find(({ when }) => holds(when, values))?.reason;
}

/** Whether two cases send the same, dimension by dimension. */
export function differing(a: Values, b: Values): readonly Dimension[] {
  return DIMENSIONS.filter((dimension) => a[dimension] !== b[dimension]);
}

function ordinaryAuthorization(family: Family): string {
  return family === 'none' ? 'absent' : ORDINARY.authorization;
}
