import { citingAttributions } from './attribution.ts';
import { mapped, repeatedIn } from './collections.ts';
import { didYouMean } from './configuration-error.ts';
import {
  type Aspect,
  type Contract,
  FAMILIES,
  type HeaderDimension,
  type Matrix,
  type Requirement,
  requirementFor,
  type When,
} from './contract.ts';
import { scopeInName } from './holdings.ts';
import type { Operation } from './openapi.ts';
import { OPENAPI_FILE } from './package-files.ts';
import { citedSections } from './sections.ts';

type Data = Omit<Contract, 'digest'>;

/** Checks what a JSON Schema cannot: every name that one file uses exists in the file that defines it. One line for each problem. */
export function inconsistencies(data: Data): string[] {
  return [...requirementProblems(data), ...ruleProblems(data), ...checkProblems(data), ...matrixProblems(data)];
}

function requirementProblems(data: Data): string[] {
  const { requirements } = data;
  const ids = requirements.map(({ id }) => id);
  return [
    ...repeatedIn(ids).map((id) => `requirements.yaml: duplicate id ${id}`),
    ...requirements.flatMap(({ id, siblings = [], follows = [] }) =>
      [...siblings, ...follows].flatMap((sibling) => missingRequirements(data, sibling, `requirements.yaml: ${id}`)),
    ),
    ...['success', 'response'].flatMap((suffix) => missingRequirements(data, `{operation}.${suffix}`, OPENAPI_FILE)),
    ...requirements.flatMap((requirement) => attributionProblems(data, requirement)),
    ...requirements.flatMap((requirement) => concernProblems(data, requirement)),
    ...requirements.flatMap((requirement) => sourceProblems(data, requirement)),
  ];
}

function sourceProblems({ sections }: Data, { id, source }: Requirement): string[] {
  if (['reference', 'contract'].includes(source) || citedSections(sections, source).length > 0) return [];
  return [`requirements.yaml: ${id} cites ${source}, and sections.yaml has no such section`];
}

/** A requirement gets its attribution from rules.yaml if something there cites it, and else has its own. */
function attributionProblems(data: Data, { id, excluded, basis, interpreted }: Requirement): string[] {
  if (excluded !== undefined) return [];
  const unknown = interpreted ? unknownNames(data, interpreted.when, `requirements.yaml: ${id}`) : [];
  const isCited = citingAttributions(data, id).length > 0;
  if (isCited === (basis === undefined)) return unknown;
  const problem = isCited ? 'has a basis, and so has what cites it in rules.yaml' : 'has no basis';
  return [`requirements.yaml: ${id} ${problem}`, ...unknown];
}

/** The conditions of what cites a requirement say already which tokens it concerns. */
function concernProblems(data: Data, { id, concerns }: Requirement): string[] {
  if (!concerns) return [];
  const isCited = citingAttributions(data, id).length > 0;
  return [
    ...unknownNames(data, concerns, `requirements.yaml: ${id}`),
    ...(isCited ? [`requirements.yaml: ${id} says what it concerns, and so does what cites it in rules.yaml`] : []),
  ];
}

function ruleProblems(data: Data): string[] {
  const { refusals, acceptances, messages } = data.rules;
  return [
    ...repeatedIn(refusals.map(({ id }) => id)).map((id) => `rules.yaml: duplicate id ${id}`),
    ...refusals.flatMap(({ id, requirement, when, outcome = [] }) => [
      ...missingRequirements(data, requirement, `rules.yaml: ${id}`, when),
      ...unknownNames(data, when, `rules.yaml: ${id}`),
      ...outcome
        .flatMap(({ message }) => (Array.isArray(message) ? message : []))
        .filter((message) => !(message in messages))
        .map(
          (message) => `rules.yaml: ${id}: unknown message "${message}"${didYouMean(message, Object.keys(messages))}`,
        ),
    ]),
    ...acceptances.flatMap(({ requirement, when }) => [
      ...missingRequirements(data, requirement, 'rules.yaml: acceptances'),
      ...unknownNames(data, when, `rules.yaml: acceptance ${requirement}`),
    ]),
    ...Object.entries(messages).flatMap(([id, { requirement, allowed }]) => [
      ...missingRequirements(data, requirement, `rules.yaml: message ${id}`),
      ...allowed.flatMap((when) => unknownNames(data, when, `rules.yaml: message ${id}`)),
    ]),
  ];
}

function checkProblems(data: Data): string[] {
  return [
    ...repeatedIn(data.checks.map(({ id }) => id)).map((id) => `checks.yaml: duplicate id ${id}`),
    ...data.checks.flatMap(({ id, requirements }) =>
      requirements.flatMap((one) => missingRequirements(data, one, `checks.yaml: ${id}`)),
    ),
  ];
}

function matrixProblems(data: Data): string[] {
  const { exclusions, depths, kinds, sets, scopes } = data.matrix;
  const rules = data.rules.refusals.map(({ id }) => id);
  return [
    ...exclusions.flatMap(({ when, reason }) => unknownNames(data, when, `matrix.yaml: exclusion "${reason}"`)),
    ...Object.entries(kinds).flatMap(([kind, { neutral, validities: validity = [], authorization = [] }]) =>
      [neutral, { validity }, { authorization }].flatMap((when) => unknownNames(data, when, `matrix.yaml: ${kind}`)),
    ),
    ...depths.core.faults
      .filter((id) => !rules.includes(id))
      .map((id) => `matrix.yaml: depths: core: faults: unknown rule ${id}${didYouMean(id, rules)}`),
    ...depths.core.acceptances.flatMap((when) => unknownNames(data, when, 'matrix.yaml: depths: core: acceptances')),
    ...repeatedIn(scopes.map(scopeInName)).map(
      (name) => `matrix.yaml: scopes: two of them are ${name} in the names of variables`,
    ),
    ...Object.keys(data.matrix.headers).flatMap((dimension) => headerProblems(data.matrix, dimension)),
    ...Object.entries(sets).flatMap(([name, held]) =>
      held
        .filter((scope) => !scopes.includes(scope))
        .map((scope) => `matrix.yaml: set ${name}: unknown scope ${scope}`),
    ),
  ];
}

function headerProblems({ dimensions, headers }: Matrix, dimension: HeaderDimension): string[] {
  const values = Object.keys(dimensions[dimension] ?? {});
  const lines = Object.keys(headers[dimension]?.lines ?? {});
  return [
    ...values
      .filter((value) => !lines.includes(value))
      .map((value) => `matrix.yaml: headers: ${dimension} has no lines for "${value}"`),
    ...lines
      .filter((value) => !values.includes(value))
      .map((value) => `matrix.yaml: headers: ${dimension} has no value "${value}"${didYouMean(value, values)}`),
  ];
}

/**
 * The requirements that a template gives for each operation and that requirements.yaml does not have. A rule about optional
 * properties needs none for an operation without one.
 */
function missingRequirements(
  { operations, requirements }: Data,
  template: string,
  from: string,
  { body }: When = {},
): string[] {
  const ids = requirements.map(({ id }) => id);
  const concerned = operations.filter(({ option }) => body !== 'mistyped-option' || option !== undefined);
  const cited = template.includes('{operation}') ? concerned : operations.slice(0, 1);
  return cited
    .map(({ id }) => requirementFor(template, id))
    .filter((id) => !ids.includes(id))
    .map((id) => `${from}: no requirement ${id} in requirements.yaml${didYouMean(id, ids)}`);
}

/** The dimensions and values of a condition that the matrix does not have. */
function unknownNames({ operations, matrix }: Data, when: When, from: string): string[] {
  const values = knownValues(operations, matrix);
  return Object.entries(when).flatMap(([aspect, wanted]) => {
    const known = values[aspect];
    if (!known) return [`${from}: unknown dimension "${aspect}"${didYouMean(aspect, Object.keys(values))}`];
    return [wanted]
      .flat()
      .filter((value) => !known.includes(value))
      .map((value) => `${from}: ${aspect} has no value "${value}"${didYouMean(value, known)}`);
  });
}

/** The values that a condition may name, of each aspect. */
export function knownValues(
  operations: readonly Operation[],
  matrix: Omit<Matrix, 'depths'>,
): Readonly<Record<Aspect, readonly string[]>> {
  const { dimensions, kinds, scopes, sets } = matrix;
  return {
    ...mapped(dimensions, (values) => Object.keys(values)),
    operation: operations.map(({ id }) => id),
    kind: Object.keys(kinds),
    holding: [
      'all',
      'none',
      ...scopes.flatMap((s) => [`only:${s}`, `all-but:${s}`]),
      ...Object.keys(sets).map((s) => `set:${s}`),
    ],
    family: FAMILIES,
    scope: ['held', 'missing'],
    'holding-form': ['all', 'none', 'single', 'all-but', 'set'],
  };
}
