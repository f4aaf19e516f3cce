import type { Contract, Exclusion, Values } from '../contract/contract.ts';
import { type Case, differing, exclusionOf, makeCase, neutralCase, unitsIn } from '../plan/case.ts';
import { faultsOf } from '../plan/expectation.ts';
import { type Factors, factorsOf } from '../plan/product.ts';

/** What would make these cases many and adds nothing to a test. */
const LEFT_OUT: readonly Exclusion['when'][] = [
  {
    authorization: ['no-scheme', 'basic', 'scheme-case', 'spaces', 'trailing', 'doubled'],
    kind: ['GLOBAL', 'OAUTH', 'GOOGLE', 'AZURE', 'OKTA', 'ONELOGIN'],
  },
  {
    body: ['missing-field', 'mistyped-field', 'other-content-type'],
    kind: ['none', 'unknown', 'GOOGLE', 'AZURE', 'OKTA', 'ONELOGIN'],
  },
  {
    'act-as': ['unknown', 'unknown-domain', 'malformed', 'blank', 'doubled'],
    kind: ['none', 'unknown', 'OAUTH', 'GOOGLE', 'AZURE', 'OKTA', 'ONELOGIN'],
  },
  { 'auth-type': ['other-value', 'other-case', 'doubled'], kind: ['none', 'unknown'] },
  { 'header-case': 'upper', kind: ['none', 'unknown', 'OAUTH', 'GOOGLE', 'AZURE', 'OKTA', 'ONELOGIN'] },
];

/**
 * A matrix for tests that name their cases: each well-made request, every case that differs from it in one dimension, and
 * pairs of faults. What a depth sends is another matter, because it follows from what it can see.
 */
export function variedCases(contract: Contract): readonly Case[] {
  const exclusions = [...contract.matrix.exclusions, ...LEFT_OUT.map((when) => ({ when, reason: '' }))];
  return unitsIn(contract).flatMap((unit) => {
    const neutral = neutralCase(contract, unit.operation, unit.kind);
    const single = singleDeviations(contract, neutral, factorsOf(contract, unit));
    const all = [neutral, ...single, ...pairsOfFaults(contract, neutral.values, [neutral, ...single])];
    return [...new Map(all.map((one) => [one.id, one])).values()].filter(
      ({ values }) => exclusionOf(exclusions, values) === undefined,
    );
  });
}

function singleDeviations(contract: Contract, neutral: Case, factors: Factors): Case[] {
  return [...factors].flatMap(([dimension, all]) =>
    all
      .filter((value) => value !== neutral.values[dimension])
      .map((value) => makeCase(contract, { ...neutral.values, [dimension]: value })),
  );
}

/** Two faults at once, or one beside a header that the token does not need. One case represents each requirement. */
function pairsOfFaults(contract: Contract, neutral: Values, candidates: readonly Case[]): Case[] {
  const { core } = contract.matrix.depths;
  const representatives = new Map<string, Case>();
  for (const candidate of candidates) {
    const rule = faultsOf(contract, candidate.values).find(({ id }) => core.faults.includes(id));
    if (rule && !representatives.has(rule.requirement)) representatives.set(rule.requirement, candidate);
  }
  const faults = [...representatives.values()];
  const beside = [{ 'act-as': 'existing' }, { 'auth-type': 'OAUTH' }].map((header) =>
    makeCase(contract, { ...neutral, ...header }),
  );
  return faults.flatMap((first, index) =>
    [...faults.slice(index + 1), ...beside].flatMap((second) => {
      const [a] = differing(contract, neutral, first.values);
      const [b] = differing(contract, neutral, second.values);
      if (!a || !b || a === b) return [];
      return [makeCase(contract, { ...neutral, [a]: first.values[a] ?? '', [b]: second.values[b] ?? '' })];
    }),
  );
}
