import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import type { Suspect } from '../plan/expectation.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { shown } from '../testing/findings.ts';
import { answer, contract, plannedCase, reset } from '../testing/small-world.ts';
import { expired, missed, plan } from '../testing/verdicts.ts';
import { type Cause, findCauses } from './causes.ts';
import type { Missed } from './conjunction.ts';

const wrong = () => missed(expired.USER, answer(404)).verdict;
/** The cases of all other kinds than USER and OKTA. If they pass, no condition but the kind separates these two. */
const OTHERS = [expired.GLOBAL, expired.OAUTH, expired.ONELOGIN, expired.GOOGLE, expired.AZURE];

function suspect(template: string, change: Partial<Suspect> = {}): Suspect {
  return {
    rule: template,
    template,
    requirement: template,
    level: 'must',
    attribution: { basis: 'stated' },
    ...change,
  };
}
const EXPIRED = suspect('token.expired');
const MISSING = suspect('act-as.missing');
const SCOPE = suspect('scope.{operation}', { requirement: 'scope.search' });

/** A case that is wrongly answered, and may be blamed on these requirements. */
const blaming = (planned: PlannedCase, ...suspects: readonly Suspect[]): Missed => ({
  verdict: { ...wrong(), case: planned },
  suspects,
});
const causesOf = (all: readonly Missed[], passes: Readonly<Record<string, readonly PlannedCase[]>> = {}) =>
  findCauses(
    contract,
    all,
    new Map(Object.entries(passes).map(([template, cases]) => [template, cases.map((found): Values => found.values)])),
  );
const named = (causes: readonly Cause[]) =>
  causes.map(({ template, places }) => [template, ...places.map(shown).filter(Boolean)].join(' '));

describe('of two requirements that explain the same misses, the blamed one', () => {
  test('is the first in rules.yaml', () => {
    expect(named(causesOf([blaming(expired.USER, SCOPE, EXPIRED)]))).toEqual(['token.expired']);
    expect(named(causesOf([blaming(expired.USER, EXPIRED, SCOPE)]))).toEqual(['token.expired']);
    const first = suspect('authorization.required');
    expect(named(causesOf([blaming(expired.USER, EXPIRED, first)]))).toEqual(['authorization.required']);
  });

  test('is in rules.yaml rather than a requirement about messages', () => {
    const message = suspect('message.invalid-identity');
    expect(named(causesOf([blaming(expired.USER, message, SCOPE)]))).toEqual(['scope.{operation}']);
  });

  test('is the one that more misses can be blamed on alone', () => {
    const all = [
      blaming(expired.USER, EXPIRED, SCOPE),
      blaming(expired.GLOBAL, SCOPE),
      blaming(expired.OKTA, EXPIRED, MISSING),
    ];
    expect(named(causesOf(all))).toEqual(['scope.{operation}', 'token.expired']);
    const other = [
      blaming(expired.USER, EXPIRED, SCOPE),
      blaming(expired.GLOBAL, EXPIRED),
      blaming(expired.OKTA, SCOPE, MISSING),
    ];
    expect(named(causesOf(other))).toEqual(['token.expired', 'act-as.missing']);
  });

  test('is already blamed for other misses', () => {
    const all = [blaming(expired.OKTA, SCOPE), blaming(expired.USER, EXPIRED, SCOPE)];
    const passes = { 'scope.{operation}': OTHERS };
    expect(named(causesOf(all, passes))).toEqual(['scope.{operation} kind:OKTA kind:USER']);
  });

  test('is broken without a condition rather than in one place', () => {
    const all = [blaming(expired.USER, EXPIRED, SCOPE)];
    expect(named(causesOf(all, { 'token.expired': [expired.OKTA] }))).toEqual(['scope.{operation}']);
  });

  test('comes first in rules.yaml if both are broken in a place, however many values name it', () => {
    const all = [blaming(expired.USER, EXPIRED, SCOPE)];
    const inChat = plannedCase(plan, 'chat', 'USER', { validity: 'expired' });
    const passes = { 'token.expired': [...OTHERS, expired.OKTA, inChat], 'scope.{operation}': [expired.OKTA] };
    expect(named(causesOf(all, passes))).toEqual(['token.expired kind:USER&operation:search']);
  });

  test('explains more misses', () => {
    const all = [blaming(expired.USER, EXPIRED, SCOPE), blaming(expired.OKTA, SCOPE), blaming(expired.GLOBAL, SCOPE)];
    expect(named(causesOf(all))).toEqual(['scope.{operation}']);
    expect(causesOf(all)[0]?.cases).toHaveLength(3);
  });
});

describe('a cause', () => {
  test('has the requirements, the attribution and the level of what is blamed, not of other suspects', () => {
    const weak = suspect('token.expired', {
      level: 'should',
      attribution: { basis: 'interpreted', reason: 'for a reason' },
    });
    expect(causesOf([blaming(expired.USER, weak, SCOPE)])).toMatchObject([
      { verdict: 'warn', requirements: ['token.expired'], attribution: { basis: 'interpreted' } },
    ]);
  });

  test('fails if one of its cases fails', () => {
    const weak = suspect('token.expired', { level: 'should' });
    expect(causesOf([blaming(expired.USER, weak), blaming(expired.OKTA, EXPIRED)])).toMatchObject([
      { verdict: 'fail', cases: { length: 2 } },
    ]);
  });

  test('only warns if all its cases only warn', () => {
    const { verdict, suspects } = blaming(expired.USER, EXPIRED);
    expect(causesOf([{ verdict: { ...verdict, verdict: 'warn' }, suspects }])).toMatchObject([{ verdict: 'warn' }]);
  });

  test('comes before causes with fewer cases, all its places counted', () => {
    const [third, fourth] = ['OKTA', 'USER'].map((kind) =>
      plannedCase(plan, 'search', kind, { validity: 'expired', holding: 'none' }),
    );
    if (!third || !fourth) throw new Error('no case');
    const all = [
      ...[expired.GLOBAL, expired.OAUTH, expired.GOOGLE].map((found) => blaming(found, EXPIRED)),
      ...[expired.OKTA, third, expired.USER, fourth].map((found) => blaming(found, SCOPE)),
    ];
    expect(causesOf(all, { 'scope.{operation}': OTHERS }).map(({ template }) => template)).toEqual([
      'scope.{operation}',
      'token.expired',
    ]);
  });
});

describe('a cause that is broken in several places', () => {
  const requirement = { requirement: 'scope.chat' };
  const passes = { 'scope.{operation}': OTHERS };
  const interpreted = { basis: 'interpreted', reason: 'for a reason' } as const;

  test('names the requirements, the places and the cases of all', () => {
    const all = [blaming(expired.USER, SCOPE), blaming(expired.OKTA, { ...SCOPE, ...requirement })];
    const [found, ...more] = causesOf(all, passes);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ requirements: ['scope.chat', 'scope.search'], scattered: 0, decisions: [] });
    expect(found?.places.map(shown).sort()).toEqual(['kind:OKTA', 'kind:USER']);
    expect(found?.cases.map((one) => one.case.values.kind).sort()).toEqual(['OKTA', 'USER']);
  });

  test('fails if it fails in one of them', () => {
    const weak = { ...SCOPE, level: 'should' } as const;
    for (const [first, second] of [
      [SCOPE, weak],
      [weak, SCOPE],
    ] as const)
      expect(causesOf([blaming(expired.OKTA, first), blaming(expired.USER, second)], passes)).toMatchObject([
        { verdict: 'fail' },
      ]);
    expect(causesOf([blaming(expired.OKTA, weak), blaming(expired.USER, weak)], passes)).toMatchObject([
      { verdict: 'warn' },
    ]);
  });

  test('is stated if it is stated for one of them', () => {
    const read = { ...SCOPE, attribution: interpreted };
    const both = (first: Suspect, second: Suspect) =>
      causesOf([blaming(expired.OKTA, first), blaming(expired.USER, second)], passes)[0]?.attribution;
    expect(both(read, SCOPE)).toEqual({ basis: 'stated' });
    expect(both(read, read)).toEqual(interpreted);
  });

  test('has an example that fails, even if a case that only warns is clearer', () => {
    const [warned, failed] = [
      expired.OKTA,
      plannedCase(plan, 'search', 'USER', { validity: 'expired', holding: 'none' }),
    ];
    const weak = blaming(warned, EXPIRED);
    const all: Missed[] = [{ ...weak, verdict: { ...weak.verdict, verdict: 'warn' } }, blaming(failed, EXPIRED)];
    for (const passing of [{}, { 'token.expired': OTHERS }])
      expect(causesOf(all, passing)).toMatchObject([{ verdict: 'fail', example: { case: { id: failed.id } } }]);
  });

  test('has the clearest of all its cases as its example', () => {
    const two = plannedCase(plan, 'search', 'OKTA', { validity: 'expired', holding: 'none' });
    const [found] = causesOf([blaming(two, SCOPE), blaming(expired.USER, EXPIRED), blaming(two, EXPIRED)], {
      'token.expired': OTHERS,
    });
    expect(found?.template).toBe('token.expired');
    expect(found?.example?.case.id).toBe(expired.USER.id);
  });
});

describe('misses of one requirement', () => {
  const passes = { 'token.expired': OTHERS };

  test('with no answer at all are another cause than those with a wrong status', () => {
    const answered = blaming(expired.USER, EXPIRED);
    const lost: Missed = { ...answered, verdict: { ...answered.verdict, observation: reset } };
    expect(causesOf([lost, blaming(expired.OKTA, EXPIRED)], passes)).toHaveLength(2);
    expect(causesOf([answered, blaming(expired.OKTA, EXPIRED)], passes)).toHaveLength(1);
  });

  test('that no condition separates from passes are scattered, however few', () => {
    const cases = plan.groups.flatMap((group) => group.cases).filter((found) => found.values.validity === 'expired');
    const all = (count: number) => cases.slice(0, count).map((found) => blaming(found, EXPIRED));
    const everywhere = { 'token.expired': cases };
    for (const count of [1, 10, 11])
      expect(causesOf(all(count), everywhere)).toMatchObject([
        { scattered: count, places: [], cases: { length: count } },
      ]);
  });

  test('that share no condition are added to those that share one', () => {
    const cases = plan.groups.flatMap((group) => group.cases).filter((found) => found.values.kind !== 'OKTA');
    const inPlace = [expired.OKTA, plannedCase(plan, 'search', 'OKTA')];
    const all = [...cases.slice(0, 11), ...inPlace].map((found) => blaming(found, EXPIRED));
    const [found] = causesOf(all, { 'token.expired': cases });
    expect(found).toMatchObject({ scattered: 11, cases: { length: 13 } });
    expect(found?.places.map(shown)).toEqual(['kind:OKTA']);
  });

  test('are listed in at most forty places', () => {
    const all = Array.from({ length: 42 }, (_, index) =>
      [expired.USER, expired.OKTA].map((found) => blaming(found, suspect(`x.${index}`))),
    ).flat();
    const found = causesOf(all);
    expect(found.filter(({ places, scattered }) => places.length === 1 && scattered === 0)).toHaveLength(40);
    expect(found.filter(({ places, scattered }) => places.length === 0 && scattered === 2)).toHaveLength(2);
  });
});
