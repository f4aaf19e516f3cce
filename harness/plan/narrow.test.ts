import { describe, expect, test } from 'vitest';
import { contractOf } from '../contract/load-contract.ts';
import { ownContract } from '../contract/package-files.ts';
import { readSpecs } from '../contract/read-specs.ts';
import { catalogueOf } from '../settings/catalogue.ts';
import { casesAt, contract, planWith } from '../testing/small-world.ts';
import { readCaseId, readGroup, unitOf } from './case.ts';
import { expandOnce } from './expand.ts';
import { narrow, refuseNarrowing } from './narrow.ts';
import { type Narrowing, WHOLE } from './narrowing.ts';
import { nearestAcceptance } from './plan.ts';

const whole = planWith();
const checks = [
  { id: 'isolation', requirements: ['user.isolation', 'act-as.effective'] },
  { id: 'fuzz', requirements: ['token.unknown'] },
];
const narrowed = (narrowing: Partial<Narrowing>, plan = whole) =>
  narrow(contract, plan, checks, { ...WHOLE, ...narrowing });
const refused = (narrowing: Partial<Narrowing>, plan = whole, taken = checks) => {
  refuseNarrowing(contract, { plan, checks: taken, known: ['isolation', 'fuzz'] }, { ...WHOLE, ...narrowing });
  return 'not refused';
};
const idsIn = ({ plan }: { plan: typeof whole }) => plan.groups.flatMap(({ cases }) => cases.map(({ id }) => id));
const all = idsIn({ plan: whole });

describe('a narrowed run', () => {
  test('has the cases that a glob matches, and the controls that they need', () => {
    const part = narrowed({ only: ['search/GLOBAL/expired/**'] });
    expect(idsIn(part)).toEqual(all.filter((id) => id.startsWith('search/GLOBAL/expired/')));
    expect(part.checks).toEqual([]);
    const controls = idsIn(part).map((id) => whole.cases.get(id)?.control ?? '');
    expect(controls.filter((id) => !part.plan.cases.has(id))).toEqual([]);
    expect(part.plan.cases.size).toBe(new Set([...idsIn(part), ...controls]).size);
  });

  test('has the cases of any of several globs, without those of --except', () => {
    const part = narrowed({ only: ['chat/USER/**', 'isolation'], except: ['**/act-as:blank/**'] });
    expect(idsIn(part)).toEqual(all.filter((id) => id.startsWith('chat/USER/') && !id.includes('act-as:blank')));
    expect(part.checks.map(({ id }) => id)).toEqual(['isolation']);
  });

  test('has the cases and checks that can decide a requirement', () => {
    const part = narrowed({ requirements: ['token.unknown'] });
    expect(idsIn(part).length).toBeGreaterThan(0);
    expect(idsIn(part).every((id) => id.includes('/unknown/') || id.includes('tampered'))).toBe(true);
    expect(part.checks.map(({ id }) => id)).toEqual(['fuzz']);
  });

  test('also leaves out cases that cannot be tested, unless a glob matches them', () => {
    const lacking = planWith({ USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined });
    const untestable = (only: string) =>
      narrowed({ only: [only] }, lacking).plan.undecidable.filter(({ status }) => status === 'not-testable').length;
    expect([untestable('search/USER/expired/**') > 0, untestable('search/GLOBAL/**')]).toEqual([true, 0]);
  });

  test('does not expect proof of a credential that none of its own acceptances uses', () => {
    const part = narrowed({ only: ['search/USER/valid/only:CHAT/**'] });
    expect([whole.provable.has('$USER_TOKEN_CHAT'), part.plan.provable.has('$USER_TOKEN_CHAT')]).toEqual([true, false]);
  });

  test('finds the same nearest acceptance of a case as the whole run', () => {
    const part = narrowed({ only: ['search/USER/valid/all/act-as:absent/auth-type:absent'] });
    const [only] = part.plan.cases.values();
    if (!only) throw new Error('nothing is left');
    expect(nearestAcceptance(contract, part.plan, only)?.id).toBe(nearestAcceptance(contract, whole, only)?.id);
    expect(nearestAcceptance(contract, part.plan, only)).toBeDefined();
  });

  test('can be narrowed to any requirement that a case decides', () => {
    const decidable = contract.requirements.filter(({ id, excluded }) => {
      if (excluded !== undefined) return false;
      return idsIn(narrowed({ requirements: [id] })).length > 0;
    });
    // Only checks decide the other requirements.
    const ids = decidable.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['search.response', 'response.content-type', 'chat.success']));
    expect(ids.length).toBeGreaterThan(30);
  });
});

describe('a run cannot be narrowed', () => {
  test.each<[string, Partial<Narrowing>, RegExp]>([
    ['by a glob that matches nothing', { only: ['search/USR/**'] }, /--only search\/USR\/\*\* .*did you mean USER\?/],
    [
      'by a misspelled check',
      { except: ['isolatoin'] },
      /--except isolatoin matches no case and no check.*isolation\?/,
    ],
    ['by a single star for several parts', { only: ['search/*'] }, /`\*\*` any number of parts/],
    ['by an unknown requirement', { requirements: ['token.expird'] }, /did you mean token\.expired\?/],
    ['by an excluded requirement', { requirements: ['families.mcp'] }, /families\.mcp cannot be tested: /],
    ['to nothing', { only: ['fuzz'], except: ['f*'] }, /nothing to send.*--except f\*/],
    ['to more shards than groups', { only: ['fuzz'], shard: { index: 2, of: 2 } }, /use at most 1/],
  ])('%s', (_what, narrowing, message) => {
    expect(() => refused(narrowing)).toThrow(message);
  });

  test('to cases that need a variable that is not set', () => {
    const lacking = planWith({ USER_TOKEN_EXPIRED: undefined });
    expect(() => refused({ only: ['search/USER/expired/all/**'] }, lacking)).toThrow(
      /selects \d+ cases without what that needs: USER_TOKEN_EXPIRED$/,
    );
  });

  test('to one case, which is no plural', () => {
    const lacking = planWith({ USER_TOKEN_EXPIRED: undefined });
    const only = ['search/USER/expired/all/act-as:absent/auth-type:absent'];
    expect(() => refused({ only }, lacking)).toThrow(/selects 1 case without what that needs: USER_TOKEN_EXPIRED$/);
  });

  test('to an intrusive check without --intrusive', () => {
    expect(() => refused({ only: ['fuzz'] }, whole, checks.slice(0, 1))).toThrow(/it needs --intrusive/);
  });

  test('unless every flag matches something', () => {
    expect(refused({ only: ['search/**', 'fuzz'], except: ['*/unknown/**'] })).toBe('not refused');
    expect(refused({})).toBe('not refused');
  });
});

test('the id of every case of depth full gives its value in each dimension', () => {
  const familyOf = (kind: string) => contract.matrix.kinds[kind]?.family ?? 'none';
  const misread = casesAt('full').filter(({ id, values }) => {
    const read = readCaseId(id, familyOf);
    return contract.dimensions.some((dimension) => read[dimension] !== values[dimension]);
  });
  expect(misread.map(({ id }) => id)).toEqual([]);
});

const specs = JSON.stringify(await readSpecs(ownContract));

test.each(['read:messages', 'chat/read', 'https://scopes.example/chat%20read'])(
  'a token with only the scope %s is tried, and its id gives the scope',
  (scope) => {
    const named = contractOf(ownContract, JSON.parse(specs.replaceAll('"CHAT"', JSON.stringify(scope))));
    const familyOf = (kind: string) => named.matrix.kinds[kind]?.family ?? 'none';
    const alone = expandOnce(named)('core').filter(({ values }) => values.holding === `only:${scope}`);
    expect(alone.map(({ values }) => `${values.operation} ${values.scope}`)).toContain('chat held');
    for (const { id, values } of alone) expect(readCaseId(id, familyOf).holding).toBe(values.holding);
    expect(catalogueOf(named).names.filter((name) => !/^[A-Z][A-Z0-9_]*$/.test(name))).toEqual([]);
  },
);

test('the id of every group gives its operation, kind and rule', () => {
  const { groups } = planWith();
  expect(groups.map(({ id }) => `${unitOf(readGroup(id))}/${readGroup(id).rule}`)).toEqual(groups.map(({ id }) => id));
  for (const { id, cases } of groups)
    expect(new Set(cases.map(({ values }) => unitOf(values)))).toEqual(new Set([unitOf(readGroup(id))]));
});
