import {
  type Aspect,
  type Contract,
  FAMILIES,
  HEADER_DIMENSIONS,
  type HeaderDimension,
  type Matrix,
  requirementFor,
  type When,
} from './contract.ts';
import { didYouMean } from './did-you-mean.ts';
import type { Operation } from './openapi.ts';

type Data = Omit<Contract, 'digest'>;

/** What a JSON Schema cannot say: every name used in one file of specs/ exists in the other. One line per problem. */
export function inconsistencies(data: Data): string[] {
  return [...requirementProblems(data), ...ruleProblems(data), ...matrixProblems(data)];
}

function requirementProblems(data: Data): string[] {
  const { requirements } = data;
  const ids = requirements.map(({ id }) => id);
  return [
    ...twice(ids).map((id) => `requirements.yaml: ${id} stands twice`),
    ...requirements.flatMap(({ id, sibling }) =>
      sibling === undefined ? [] : citing(data, sibling, `requirements.yaml: ${id}`),
    ),
    ...['success', 'response'].flatMap((suffix) => citing(data, `{operation}.${suffix}`, 'client-api.openapi.yaml')),
  ];
}

function ruleProblems(data: Data): string[] {
  const { refusals, acceptances, messages } = data.rules;
  return [
    ...twice(refusals.map(({ id }) => id)).map((id) => `rules.yaml: ${id} stands twice`),
    ...refusals.flatMap(({ id, requirement, when, outcome = [] }) => [
      ...citing(data, requirement, `rules.yaml: ${id}`),
      ...unknownIn(data, when, `rules.yaml: ${id}`),
      ...outcome
        .flatMap(({ message }) => (Array.isArray(message) ? message : []))
        .filter((message) => !(message in messages))
        .map((message) => `rules.yaml: ${id}: no message "${message}"${didYouMean(message, Object.keys(messages))}`),
    ]),
    ...acceptances.flatMap(({ requirement, when }) => [
      ...citing(data, requirement, 'rules.yaml: acceptances'),
      ...unknownIn(data, when, `rules.yaml: acceptance ${requirement}`),
    ]),
    ...Object.entries(messages).flatMap(([id, { requirement, allowed }]) => [
      ...citing(data, requirement, `rules.yaml: message ${id}`),
      ...allowed.flatMap((when) => unknownIn(data, when, `rules.yaml: message ${id}`)),
    ]),
  ];
}

function matrixProblems(data: Data): string[] {
  const { exclusions, depths, kinds, sets, scopes } = data.matrix;
  return [
    ...[...exclusions, ...depths.core.exclusions].flatMap(({ when, reason }) =>
      unknownIn(data, when, `matrix.yaml: exclusion "${reason}"`),
    ),
    ...Object.entries(kinds).flatMap(([kind, { neutral, validities: validity = [], authorization = [] }]) =>
      [neutral, { validity }, { authorization }].flatMap((when) => unknownIn(data, when, `matrix.yaml: ${kind}`)),
    ),
    ...unknownIn(data, depths.core.beside, 'matrix.yaml: depths: core: beside'),
    ...HEADER_DIMENSIONS.flatMap((dimension) => headerProblems(data.matrix, dimension)),
    ...Object.entries(sets).flatMap(([name, held]) =>
      held
        .filter((scope) => !scopes.includes(scope))
        .map((scope) => `matrix.yaml: set ${name}: unknown scope ${scope}`),
    ),
  ];
}

function headerProblems({ dimensions, headers }: Matrix, dimension: HeaderDimension): string[] {
  const [values, lines] = [Object.keys(dimensions[dimension]), Object.keys(headers[dimension].lines)];
  return [
    ...values
      .filter((value) => !lines.includes(value))
      .map((value) => `matrix.yaml: headers: ${dimension} has no lines for "${value}"`),
    ...lines
      .filter((value) => !values.includes(value))
      .map((value) => `matrix.yaml: headers: ${dimension} has no value "${value}"${didYouMean(value, values)}`),
  ];
}

/** The requirements that are cited for operations, and that the ledger does not have. */
function citing({ operations, requirements }: Data, template: string, from: string): string[] {
  const ids = requirements.map(({ id }) => id);
  const cited = template.includes('{operation}') ? operations : operations.slice(0, 1);
  return cited
    .map(({ id }) => requirementFor(template, id))
    .filter((id) => !ids.includes(id))
    .map((id) => `${from}: no requirement ${id} in requirements.yaml${didYouMean(id, ids)}`);
}

/** The dimensions and values of a condition that the matrix does not have. */
function unknownIn({ operations, matrix }: Data, when: When, from: string): string[] {
  const values = knownValues(operations, matrix);
  return Object.entries(when).flatMap(([aspect, wanted]) => {
    const known = values[aspect as Aspect];
    if (!known) return [`${from}: unknown dimension "${aspect}"${didYouMean(aspect, Object.keys(values))}`];
    return [wanted]
      .flat()
      .filter((value) => !known.includes(value))
      .map((value) => `${from}: ${aspect} has no value "${value}"${didYouMean(value, known)}`);
  });
}

function twice(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function knownValues(operations: readonly Operation[], matrix: Matrix): Record<Aspect, readonly string[]> {
  const { dimensions, kinds, scopes, sets } = matrix;
  return {
    operation: operations.map(({ id }) => id),
    kind: Object.keys(kinds),
    validity: Object.keys(dimensions.validity),
    holding: [
      'all',
      'none',
      ...scopes.flatMap((s) => [`only:${s}`, `all-but:${s}`]),
      ...Object.keys(sets).map((s) => `set:${s}`),
    ],
    'act-as': Object.keys(dimensions['act-as']),
    'auth-type': Object.keys(dimensions['auth-type']),
    authorization: Object.keys(dimensions.authorization),
    'header-case': Object.keys(dimensions['header-case']),
    body: Object.keys(dimensions.body),
    family: FAMILIES,
    scope: ['held', 'missing'],
    'holding-form': ['all', 'none', 'single', 'all-but', 'set'],
  };
}
