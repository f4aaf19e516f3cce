import { describe, expect, test } from 'vitest';
import { type Depth, holds, type Values } from '../../contract/contract.ts';
import { casesAt as casesOfDepth, catalogue, contract } from '../../testing/contract.ts';
import { planWith } from '../../testing/small-world.ts';
import type { Case } from '../case.ts';
import { chooseInSteps } from './cases-of-strength.ts';
import { createCombinations } from './combinations.ts';
import { percentOf, seenBy } from './documented-rows.ts';
import { type Isolated, isolatedCases } from './isolation.ts';
import { numberingOf } from './numbering.ts';

/** The tokens of OAuth that the embedded service lacks: single scopes that no operation needs, and the like. */
const LACKING = /^(OAUTH|GOOGLE|AZURE|OKTA|ONELOGIN)_TOKEN_(?!SEARCH$|CHAT$|UNSCOPED$|EXPIRED|FOREIGN$)/;
const lacking = catalogue.tokens.flatMap(({ name }) => (LACKING.test(name) ? [[name, undefined]] : []));
const planAt = (depth: Depth, changes = {}) =>
  planWith({ ...Object.fromEntries(lacking), ...changes }, depth, casesOfDepth);
const executed = (depth: Depth, changes = {}) => planAt(depth, changes).groups.flatMap(({ cases }) => cases);
const whole = planAt('full');
const everything = whole.groups.flatMap(({ cases }) => cases);
const idsOf = (cases: readonly Case[]) => new Set(cases.map(({ id }) => id));

/** The rule that a case isolates, read from the rules alone, and whether a rule leaves something of it open. */
function alone(values: Values): { rule: string; open: boolean } | undefined {
  const held = contract.rules.refusals.filter(({ when }) => holds(when, values));
  const faults = held.filter((rule) => rule.outcome !== undefined);
  const open = held.length > faults.length;
  if (faults.length === 0) return open ? undefined : { rule: 'accepted', open };
  return new Set(faults.map(({ requirement }) => requirement)).size === 1
    ? { rule: faults[0]?.id ?? '', open }
    : undefined;
}

/** Counts by brute force, over texts. In frames, each text has operation and kind, and so many values beside them. */
function counted(
  possible: readonly Case[],
  sent: readonly Case[],
  strength: number,
  inFrames = false,
): { seen: number; all: number } {
  const [operation = '', kind = '', ...others] = contract.dimensions;
  const choices = inFrames
    ? subsets(others, strength).map((some) => [operation, kind, ...some])
    : subsets(contract.dimensions, strength);
  const textsOf = ({ values }: Case, rule: string) =>
    choices.map((some) => `${rule} ${some.map((name) => `${name}=${values[name]}`).join(' ')}`);
  const tell = (cases: readonly Case[]) => {
    const told = { clear: new Set<string>(), open: new Set<string>() };
    for (const one of cases) {
      const found = alone(one.values);
      for (const text of found ? textsOf(one, found.rule) : []) told[found?.open ? 'open' : 'clear'].add(text);
    }
    return told;
  };
  const [can, did] = [tell(possible), tell(sent)];
  const all = new Set([...can.clear, ...can.open]);
  const seen = [...all].filter((text) => did.clear.has(text) || (!can.clear.has(text) && did.open.has(text)));
  return { seen: seen.length, all: all.size };
}

/**
 * The documented rows that cases show, read from the rules alone: each decisive rule for each operation and kind, with no
 * scope and with the scope of each operation alone, and what must be accepted.
 */
function rowsOf(cases: readonly Case[]): readonly string[] {
  const wellMade = {
    validity: 'valid',
    holding: 'all',
    authorization: 'bearer',
    'header-case': 'documented',
    body: 'valid',
  };
  const rows = cases.flatMap(({ values }) => {
    const unit = `${values.operation} ${values.kind}`;
    const found = alone(values);
    if (!found) return [];
    if (found.rule !== 'accepted')
      return contract.rules.refusals
        .filter(({ outcome, when }) => outcome !== undefined && holds(when, values))
        .filter(({ id }) => id !== 'scope.missing' || ['none', 'only:SEARCH', 'only:CHAT'].includes(values.holding))
        .map(({ id }) => `${unit} ${id}${id === 'scope.missing' ? values.holding : ''}`);
    const { neutral } = contract.matrix.kinds[values.kind] ?? {};
    const others = Object.entries({ ...wellMade, ...neutral }).filter(
      ([name, value]) => values[name as 'kind'] !== value,
    );
    const [name = 'well-made', ...more] = others.map(([other]) => `${other}:${values[other as 'kind']}`);
    const isDocumented = /^(well-made|header-case:lower|holding:only:\w+|validity:future-expiry|auth-type:OAUTH)$/.test(
      name,
    );
    return more.length === 0 && isDocumented ? [`${unit} ${name}`] : [];
  });
  return [...new Set(rows)];
}

function subsets<T>(from: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return from.flatMap((first, index) => subsets(from.slice(index + 1), size - 1).map((rest) => [first, ...rest]));
}

describe('a depth', () => {
  test.each([
    ['core', 1],
    ['pairwise', 2],
    ['triples', 3],
    ['full', 3],
  ] as const)('%s sees every fault that depends on up to %i values, by an independent count too', (depth, strength) => {
    const sent = executed(depth);
    const seen = seenBy(contract, isolatedCases(contract).filter(whole.canSend), idsOf(sent));
    for (const one of [1, 2, 3] as const) {
      expect(counted(everything, sent, one, true)).toEqual(seen[one]);
      const { seen: overall, all } = counted(everything, sent, one);
      if (one <= strength) expect(overall).toBe(all);
      else expect(overall).toBeLessThan(all);
    }
    // Operation and kind are two of the values of an overall strength.
    for (const one of [0, 1, 2, 3] as const)
      if (depth === 'full' || one <= strength - 2) expect(percentOf(seen[one])).toBe(100);
  });

  test.each(['core', 'pairwise', 'triples', 'full'] as const)(
    '%s shows every documented row of each frame',
    (depth) => {
      const sent = executed(depth);
      expect(rowsOf(everything).filter((row) => !rowsOf(sent).includes(row))).toEqual([]);
      const { 0: rows } = seenBy(contract, isolatedCases(contract).filter(whole.canSend), idsOf(sent));
      expect(rows).toEqual({ seen: rowsOf(everything).length, all: rowsOf(everything).length });
    },
  );

  test.each([
    ['core', 1],
    ['pairwise', 2],
    ['triples', 3],
  ] as const)('%s sees as much with the tokens of the service alone', (depth, strength) => {
    const claimed = { CONFORMANCE_CLAIMS: 'user global scopes' };
    const { seen, all } = counted(executed('full', claimed), executed(depth, claimed), strength);
    expect(seen).toBe(all);
  });

  test('core sees every fault that depends on one value with the required tokens of the service alone', () => {
    const required = ['USER', 'GLOBAL'].flatMap((kind) => catalogue.required(kind, false));
    const others = catalogue.tokens.flatMap(({ name }) => (required.includes(name) ? [] : [[name, undefined]]));
    const claimed = { ...Object.fromEntries(others), CONFORMANCE_CLAIMS: 'user global' };
    const { seen, all } = counted(executed('full', claimed), executed('core', claimed), 1);
    expect(seen).toBe(all);
  });

  test.each([
    ['core', 430],
    ['pairwise', 1400],
    ['triples', 4000],
    ['full', 30_000],
  ] as const)('%s sends at most %i cases', (depth, most) => {
    expect(executed(depth).length).toBeLessThanOrEqual(most);
  });

  test('core sends at most 330 cases with the tokens that claims require, and 215 for those of the service', () => {
    const withRequired = (kinds: readonly string[]) => {
      const required = kinds.flatMap((kind) => catalogue.required(kind, false));
      const others = catalogue.tokens.flatMap(({ name }) => (required.includes(name) ? [] : [[name, undefined]]));
      return executed('core', { ...Object.fromEntries(others), CONFORMANCE_CLAIMS: kinds.join(' ').toLowerCase() });
    };
    expect(withRequired(catalogue.kinds).length).toBeLessThanOrEqual(330);
    expect(withRequired(['USER', 'GLOBAL']).length).toBeLessThanOrEqual(215);
    expect(executed('core', { CONFORMANCE_CLAIMS: 'user global scopes' }).length).toBeLessThanOrEqual(235);
  });

  test('holds the cases of the depths before it', () => {
    const [core, pairwise, triples, full] = (['core', 'pairwise', 'triples', 'full'] as const).map((depth) =>
      idsOf(casesOfDepth(depth)),
    );
    expect([...(core ?? [])].filter((id) => !pairwise?.has(id))).toEqual([]);
    expect([...(pairwise ?? [])].filter((id) => !triples?.has(id))).toEqual([]);
    expect([...(triples ?? [])].filter((id) => !full?.has(id))).toEqual([]);
  });
});

describe('the choice', () => {
  const ofUser = isolatedCases(contract, ['USER']);
  const chosen = (known: readonly Isolated[]) =>
    chooseInSteps(
      contract,
      [],
      [{ strength: 2, known, candidates: [...known].sort((a, b) => (a.id < b.id ? -1 : 1)) }],
    );

  test('does not depend on the order of the data', () => {
    expect(idsOf(chosen([...ofUser].reverse()))).toEqual(idsOf(chosen(ofUser)));
  });

  test('has no case that could be left out', () => {
    const combinations = createCombinations(ofUser, [2], numberingOf(contract, ofUser));
    for (const one of chosen(ofUser)) combinations.add(one);
    expect(chosen(ofUser).filter((one) => combinations.isRedundant(one))).toEqual([]);
  });
});
