import {
  ACCEPTED,
  type Aspect,
  type Contract,
  type Dimension,
  type Family,
  holds,
  type Kind,
  type Values,
  type When,
} from '../contract/contract.ts';
import { formOf, heldOrMissing, holdingsOf } from '../contract/holdings.ts';
import type { Operation } from '../contract/openapi.ts';
import type { Expectation } from './expectation.ts';

/** One request to send, as one value in each dimension. Its id is readable, stable and unique. */
export interface Case {
  readonly id: string;
  readonly values: Values;
}

/** The values of a well-made request, unless its kind says otherwise. A header is absent. */
const ORDINARY = {
  validity: 'valid',
  holding: 'all',
  authorization: 'bearer',
  'header-case': 'documented',
  body: 'valid',
} as const;

export type Dimensions = Readonly<Record<keyof typeof ORDINARY | 'operation' | 'kind', string>> &
  Readonly<Record<Dimension, string>>;

/** Makes a case: adds the traits that follow from its values, and its id. */
export function makeCase(contract: Contract, dimensions: Dimensions): Case {
  const values = withTraits(contract, dimensions);
  return { id: caseId(contract, values), values };
}

/** The values of a case in the order of the dimensions. */
export function rowOfCase({ dimensions }: Contract, { values }: Case): readonly string[] {
  return dimensions.map((dimension) => values[dimension] ?? '');
}

export function caseOfRow(contract: Contract, row: readonly string[]): Case {
  const named: Record<Dimension, string> = {};
  for (const [index, dimension] of contract.dimensions.entries()) named[dimension] = row[index] ?? '';
  return makeCase(contract, named as Dimensions);
}

/** The values of a case, with the traits that follow from them. */
export function withTraits(contract: Contract, dimensions: Dimensions): Values {
  const { operation, kind, holding } = dimensions;
  const family = contract.matrix.kinds[kind]?.family ?? 'none';
  const scopes = contract.operations.find(({ id }) => id === operation)?.scopes ?? [];
  // Each value by its name: thousands of cases are made, and to copy an object takes four times as long.
  const values: Record<Dimension, string> & Values = {
    operation,
    kind,
    validity: dimensions.validity,
    holding,
    authorization: dimensions.authorization,
    'header-case': dimensions['header-case'],
    body: dimensions.body,
    family,
    scope: heldOrMissing(contract, holding, scopes),
    'holding-form': formOf(holding),
  };
  for (const dimension of contract.headers) values[dimension] = dimensions[dimension] ?? 'absent';
  return values;
}

/**
 * The id of a case: `search/USER/expired/all/act-as:absent/auth-type:absent`. The other dimensions follow only if their
 * value is not ordinary. A case without an issued token has `-` as validity and holding, and its id leaves both out.
 */
export function caseId({ headers }: Pick<Contract, 'headers'>, values: Values): string {
  const parts = [values.operation, values.kind];
  if (values.validity !== '-') parts.push(values.validity, inId(values.holding));
  for (const dimension of headers) parts.push(`${dimension}:${values[dimension]}`);
  if (values.authorization !== ordinaryAuthorization(values.family))
    parts.push(`authorization:${values.authorization}`);
  if (values['header-case'] !== ORDINARY['header-case']) parts.push(`header-case:${values['header-case']}`);
  if (values.body !== ORDINARY.body) parts.push(`body:${values.body}`);
  return parts.join('/');
}

/** A holding as a part of an id. A scope may have a slash in its name, such as `files/read`. */
function inId(holding: string): string {
  return holding.replace(/[%/]/g, encodeURIComponent);
}

/** Reads the values of a case from its id. @param familyOf the family of a kind, on which the ordinary Authorization depends. */
export function readCaseId(id: string, familyOf: (kind: string) => Family): Dimensions {
  const [operation = '', kind = '', ...rest] = id.split('/');
  const hasToken = rest[0]?.includes(':') === false;
  const [validity = '-', holding = '-'] = hasToken ? rest : [];
  const named = rest.slice(hasToken ? 2 : 0).map((part) => {
    const [dimension = '', ...value] = part.split(':');
    return [dimension, value.join(':')];
  });
  const ordinary = { ...ORDINARY, authorization: ordinaryAuthorization(familyOf(kind)) };
  return { ...ordinary, operation, kind, validity, holding: fromId(holding), ...Object.fromEntries(named) };
}

const fromId = (holding: string): string => holding.replace(/%25|%2F/g, decodeURIComponent);

/** Whether these values are those of a case: each of them is one that its dimension can have. */
export function isCase(contract: Contract, values: Dimensions): boolean {
  const operation = contract.operations.find(({ id }) => id === values.operation);
  const kind = contract.matrix.kinds[values.kind];
  if (!operation || !kind) return false;
  return contract.dimensions.every(
    (dimension) =>
      dimension === 'kind' || valuesOf(contract, operation, kind, dimension).includes(values[dimension] ?? ''),
  );
}

/** The well-made request of a kind. The control of a denial takes its values. */
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

/** Makes the neutral cases of every operation and kind once. A plan compares each of its cases with one of them. */
export function neutralCases(contract: Contract): (operation: string, kind: string) => Case {
  const cases = unitsIn(contract).map(({ operation, kind }) => neutralCase(contract, operation, kind));
  const known = new Map(cases.map((neutral) => [`${neutral.values.operation} ${neutral.values.kind}`, neutral]));
  return (operation, kind) => known.get(`${operation} ${kind}`) ?? neutralCase(contract, operation, kind);
}

/** Every value that a dimension can have for a kind and an operation. */
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
      return kind.holdings ? holdingsOf(contract, kind) : ['-'];
    case 'authorization':
      if (kind.authorization) return kind.authorization;
      return Object.keys(dimensions.authorization).filter((value) => value !== 'absent' && value !== 'empty');
    case 'body':
      return operation.field
        ? Object.keys(dimensions.body).filter((value) => value !== 'mistyped-option' || operation.option)
        : ['valid'];
    default:
      return Object.keys(dimensions[dimension] ?? {});
  }
}

/** What the value in a dimension decides: itself, and the traits that follow from it. */
export function decidedBy(dimension: Dimension): readonly Aspect[] {
  if (dimension === 'kind') return ['kind', 'family'];
  return dimension === 'holding' ? ['holding', 'holding-form', 'scope'] : [dimension];
}

/** The dimensions that a condition is about. */
export function dimensionsIn({ dimensions }: Pick<Contract, 'dimensions'>, when: When): readonly Dimension[] {
  return dimensions.filter((dimension) => decidedBy(dimension).some((aspect) => aspect in when));
}

/** The reason of the first exclusion that applies to a case; undefined if none does. */
export function exclusionOf(
  exclusions: Contract['matrix']['exclusions'],
  values: Readonly<Partial<Record<Aspect, string | undefined>>>,
): string | undefined {
  return exclusions.find(({ when }) => holds(when, values))?.reason;
}

export function differing({ dimensions }: Contract, a: Values, b: Values): readonly Dimension[] {
  return dimensions.filter((dimension) => a[dimension] !== b[dimension]);
}

function ordinaryAuthorization(family: string): string {
  return family === 'none' ? 'absent' : ORDINARY.authorization;
}

/** What is missing to decide something: a variable that is not set, or something else in words. */
export type Lack =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'words'; readonly words: string };

export const variableLack = (name: string): Lack => ({ kind: 'variable', name });
export const lackInWords = (words: string): Lack => ({ kind: 'words', words });

export function textOfLack(lack: Lack): string {
  return lack.kind === 'variable' ? lack.name : lack.words;
}

/** What the cases of a group have in common. */
interface GroupHead {
  readonly operation: string;
  readonly kind: string;
  /** The rule that the cases are about; `accepted` if they must be accepted. */
  readonly rule: string;
}

export type Unit = Pick<Values, 'operation' | 'kind'>;

/** `search/USER`: an operation and a kind, the pair for which the suite decides requirements. */
export function unitOf({ operation, kind }: Unit): string {
  return `${operation}/${kind}`;
}

/** The unit of what a check decides of none in particular, such as that it did not run. */
export const ANYWHERE = 'any/any';

export function unitsIn({ operations, matrix }: Pick<Contract, 'operations' | 'matrix'>): readonly Unit[] {
  const kinds = Object.keys(matrix.kinds);
  return operations.flatMap(({ id: operation }) => kinds.map((kind) => ({ operation, kind })));
}

/** The id of a group: `search/USER/token.expired`. The first decisive rule names it, or else the first silent rule. */
export function groupOf(values: Values, { kind: expected, admissible }: Expectation): string {
  return `${unitOf(values)}/${expected === 'accept' ? ACCEPTED : (admissible[0]?.rule ?? ACCEPTED)}`;
}

export function readGroup(id: string): GroupHead {
  const [operation = '', kind = '', ...rule] = id.split('/');
  return { operation, kind, rule: rule.join('/') };
}
