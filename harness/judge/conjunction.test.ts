import { describe, expect, test } from 'vitest';
import type { Aspect, Values } from '../contract/contract.ts';
import { shown } from '../testing/findings.ts';
import { answer, contract, plannedCase } from '../testing/small-world.ts';
import { missed, plan } from '../testing/verdicts.ts';
import { aspectsOf, type Missed, widestConjunction } from './conjunction.ts';

const wrong = () => missed(plannedCase(plan, 'search', 'USER', { validity: 'expired' }), answer(404));
const NAMED: readonly Aspect[] = [
  'kind',
  'family',
  'operation',
  'validity',
  'scope',
  'holding-form',
  'act-as',
  'auth-type',
  'header-case',
  'authorization',
  'body',
  'holding',
];
const ORDINARY = Object.fromEntries(NAMED.map((aspect) => [aspect, 'a'])) as Values;

/** The ordinary values with another one in each of these aspects. */
const values = (changes: Readonly<Record<string, string>> = {}): Values => ({ ...ORDINARY, ...changes });
const miss = (changes: Readonly<Record<string, string>> = {}): Missed => {
  const { verdict, suspects } = wrong();
  return { verdict: { ...verdict, case: { ...verdict.case, values: values(changes) } }, suspects };
};
const place = (misses: readonly Missed[], passes: readonly Values[], own: readonly Aspect[] = []) =>
  shown(widestConjunction(NAMED, misses, passes, own).place);

test('a person names the kind of token first, and what it holds last', () => {
  expect(aspectsOf(contract)).toEqual(NAMED);
});

describe('the place of misses', () => {
  test('is everywhere if nothing passes', () => {
    expect(widestConjunction(NAMED, [miss(), miss({ kind: 'b' })], [], [])).toMatchObject({
      place: [],
      covered: { length: 2 },
    });
  });

  test.each(NAMED)('can be a value of %s', (aspect) => {
    expect(place([miss({ [aspect]: 'b' })], [values()])).toBe(`${aspect}:b`);
    expect(place([miss({ [aspect]: 'b' }), miss({ [aspect]: 'c' })], [values()])).toBe(`${aspect}:b`);
  });

  test('has two conditions if no single one separates the misses from what passes', () => {
    expect(place([miss()], [values({ kind: 'b' }), values({ operation: 'b' })])).toBe('kind:a&operation:a');
  });

  test('has three conditions if no two of them separate the misses from what passes', () => {
    const passes = (['kind', 'body', 'holding'] as const).map((aspect) => values({ [aspect]: 'b' }));
    expect(place([miss()], passes)).toBe('kind:a&body:a&holding:a');
  });

  test('has the same values for all of its misses, however many values an aspect has', () => {
    const misses = [miss({ kind: 'b' }), miss(), miss({ kind: 'b', operation: 'b' })];
    const passes = [values({ kind: 'c' }), values({ kind: 'b', operation: 'c' })];
    expect(widestConjunction(NAMED, misses, passes, []).covered).toEqual([misses[1]]);
  });

  test('is unknown, for one miss at a time, if no three conditions separate it from what passes', () => {
    const passes = (['kind', 'operation', 'body', 'holding'] as const).map((aspect) => values({ [aspect]: 'b' }));
    const misses = [miss(), miss()];
    expect(widestConjunction(NAMED, misses, passes, [])).toEqual({ place: [], covered: [misses[0]] });
  });

  test('has a fourth condition only of the aspects in which the rules of the requirement differ', () => {
    const passes = (['kind', 'operation', 'body', 'holding'] as const).map((aspect) => values({ [aspect]: 'b' }));
    expect(place([miss()], passes, ['scope', 'body'])).toBe('kind:a&operation:a&holding:a&body:a');
    expect(place([miss()], passes, ['scope'])).toBe('');
  });

  test('has no fourth condition if three are enough', () => {
    const passes = (['kind', 'body', 'holding'] as const).map((aspect) => values({ [aspect]: 'b' }));
    expect(place([miss()], passes, ['scope', 'body'])).toBe('kind:a&body:a&holding:a');
  });

  test('has the fewest conditions and, among those, the one that a person would name first', () => {
    const passes = [values({ kind: 'b', family: 'b', operation: 'b' })];
    expect(place([miss()], passes)).toBe('kind:a');
    expect(place([miss()], [values({ family: 'b', operation: 'b' })])).toBe('family:a');
  });

  test('covers as many misses as possible, even if that takes more conditions', () => {
    const misses = [
      miss({ kind: 'b' }),
      miss({ kind: 'c', operation: 'b', body: 'b' }),
      miss({ kind: 'd', operation: 'b', body: 'b' }),
    ];
    const found = widestConjunction(NAMED, misses, [values({ operation: 'b' }), values({ body: 'b' })], []);
    expect(shown(found.place)).toBe('operation:b&body:b');
    expect(found.covered).toEqual(misses.slice(1));
  });
});
