import {
  type Aspect,
  type Contract,
  FAMILIES,
  HEADER_DIMENSIONS,
  type Matrix,
  requirementFor,
  type When,
} from './contract.ts';
import { didYouMean } from './did-you-mean.ts';
import type { Operation } from './openapi.ts';

/** What a JSON Schema cannot say: every name used in one file of specs/ exists in the other. One line per problem. */
export function inconsistencies({ operations, requirements, rules, matrix }: Omit<Contract, 'digest'>): string[] {
  const problems: string[] = [];
  const ids = requirements.map(({ id }) => id);
  for (const id of ids.filter((id, index) => ids.indexOf(id) !== index))
    problems.push(`requirements.yaml: ${id} stands twice`);
  const cite = (template: string, from: string) => {
    for (const operation of template.includes('{operation}') ? operations : operations.slice(0, 1)) {
      const id = requirementFor(template, operation.id);
      if (!ids.includes(id)) problems.push(`${from}: no requirement ${id} in requirements.yaml${didYouMean(id, ids)}`);
    }
  };
  for (const { id, sibling } of requirements) if (sibling !== undefined) cite(sibling, `requirements.yaml: ${id}`);
  const values = knownValues(operations, matrix);
  const check = (when: When, from: string) => {
    for (const [aspect, wanted] of Object.entries(when)) {
      const known = values[aspect as Aspect];
      if (!known) problems.push(`${from}: unknown dimension "${aspect}"${didYouMean(aspect, Object.keys(values))}`);
      for (const value of known ? [wanted].flat() : [])
        if (!known?.includes(value))
          problems.push(`${from}: ${aspect} has no value "${value}"${didYouMean(value, known ?? [])}`);
    }
  };
  const ruleIds = rules.refusals.map(({ id }) => id);
  for (const id of ruleIds.filter((id, index) => ruleIds.indexOf(id) !== index))
    problems.push(`rules.yaml: ${id} stands twice`);
  for (const rule of rules.refusals) {
    cite(rule.requirement, `rules.yaml: ${rule.id}`);
    check(rule.when, `rules.yaml: ${rule.id}`);
    for (const { message } of rule.outcome ?? [])
      for (const id of Array.isArray(message) ? message : [])
        if (!(id in rules.messages))
          problems.push(`rules.yaml: ${rule.id}: no message "${id}"${didYouMean(id, Object.keys(rules.messages))}`);
  }
  for (const { requirement, when } of rules.acceptances) {
    cite(requirement, 'rules.yaml: acceptances');
    check(when, `rules.yaml: acceptance ${requirement}`);
  }
  for (const [id, { requirement, allowed }] of Object.entries(rules.messages)) {
    cite(requirement, `rules.yaml: message ${id}`);
    for (const when of allowed) check(when, `rules.yaml: message ${id}`);
  }
  for (const suffix of ['success', 'response']) cite(`{operation}.${suffix}`, 'client-api.openapi.yaml');
  for (const { when, reason } of [...matrix.exclusions, ...matrix.depths.core.exclusions])
    check(when, `matrix.yaml: exclusion "${reason}"`);
  for (const [kind, { neutral, validities = [], authorization = [] }] of Object.entries(matrix.kinds)) {
    check(neutral, `matrix.yaml: ${kind}`);
    if (validities.length > 0) check({ validity: validities }, `matrix.yaml: ${kind}`);
    if (authorization.length > 0) check({ authorization }, `matrix.yaml: ${kind}`);
  }
  check(matrix.depths.core.beside, 'matrix.yaml: depths: core: beside');
  for (const dimension of HEADER_DIMENSIONS) {
    const [values, lines] = [Object.keys(matrix.dimensions[dimension]), Object.keys(matrix.headers[dimension].lines)];
    for (const value of values.filter((v) => !lines.includes(v)))
      problems.push(`matrix.yaml: headers: ${dimension} has no lines for "${value}"`);
    for (const value of lines.filter((v) => !values.includes(v)))
      problems.push(`matrix.yaml: headers: ${dimension} has no value "${value}"${didYouMean(value, values)}`);
  }
  for (const [name, scopes] of Object.entries(matrix.sets))
    for (const scope of scopes)
      if (!matrix.scopes.includes(scope)) problems.push(`matrix.yaml: set ${name}: unknown scope ${scope}`);
  return problems;
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
