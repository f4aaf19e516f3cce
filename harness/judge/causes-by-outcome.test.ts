import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import type { Observation } from '../record/observation.ts';
import { shown } from '../testing/findings.ts';
import { accepted, answer, contract, plannedCase, reset } from '../testing/small-world.ts';
import { expired, missed, plan } from '../testing/verdicts.ts';
import { clearestCase, findCauses } from './causes.ts';
import type { Missed } from './conjunction.ts';
import { statusOf } from './judge-answer.ts';

/** A case that got an answer, and may be blamed on the same requirement as every other one. */
const seen = (planned: PlannedCase, observation: Observation): Missed => {
  const wrong = missed(expired.USER, answer(404));
  return { ...wrong, verdict: { ...wrong.verdict, case: planned, observation } };
};
const causesOf = (all: readonly Missed[], passing: readonly PlannedCase[] = []) =>
  findCauses(contract, all, new Map([['token.expired', passing.map(({ values }) => values)]]));
const shownWith = (all: readonly Missed[]) =>
  causesOf(all).map(({ places, cases }) => [
    places.map(shown).join(' or ') || 'everywhere',
    ...cases.map(({ observation }) => statusOf(observation)),
  ]);

test('misses of one requirement that are accepted are another cause than those that are refused, each with its own place', () => {
  const [user, okta] = [seen(expired.USER, accepted), seen(expired.OKTA, answer(404))];
  expect(shownWith([okta, user])).toEqual([
    ['kind:USER', '200'],
    ['kind:OKTA', '404'],
  ]);
  const more = [seen(expired.GOOGLE, accepted), seen(expired.GLOBAL, reset), seen(expired.AZURE, answer(500))];
  expect(shownWith([okta, user, ...more])).toEqual([
    ['kind:USER or kind:GOOGLE', '200', '200'],
    ['kind:OKTA or kind:AZURE', '404', '500'],
    ['kind:GLOBAL', 'no answer'],
  ]);
});

test('misses that only warn are part of a failure of the requirement, and a cause without one', () => {
  const warning = seen(expired.OKTA, answer(403));
  const open = { ...warning, suspects: warning.suspects.map((one) => ({ ...one, level: 'should' as const })) };
  expect(causesOf([seen(expired.USER, accepted), open])).toMatchObject([{ verdict: 'fail', cases: { length: 2 } }]);
  expect(causesOf([open])).toMatchObject([{ verdict: 'warn', cases: { length: 1 } }]);
});

test('misses of one requirement that not even ten places tell apart have the same place, whether they are accepted or refused', () => {
  expect(shownWith([seen(expired.OKTA, answer(404)), seen(expired.OKTA, accepted)])).toEqual([
    ['everywhere', '200'],
    ['everywhere', '404'],
  ]);
  const cases = plan.groups.flatMap((group) => group.cases).filter((found) => found.values.validity === 'expired');
  const mixed = cases.map((found, index) => seen(found, (index * index) % 7 < 2 ? accepted : answer(404)));
  expect(causesOf(mixed)).toMatchObject([
    { places: [[]], scattered: 0, cases: { length: 32 } },
    { places: [[]], scattered: 0, cases: { length: 26 } },
  ]);
});

test('misses of one requirement that are refused with several statuses are one cause, unless a place has a status of its own', () => {
  const both = [seen(expired.USER, answer(404)), seen(expired.OKTA, answer(500))];
  expect(shownWith(both)).toEqual([['everywhere', '404', '500']]);
  const passing = [expired.GLOBAL, expired.OAUTH, expired.ONELOGIN, expired.GOOGLE, expired.AZURE];
  expect(causesOf(both, passing)).toHaveLength(2);
  const letIn = [seen(expired.USER, accepted), seen(expired.OKTA, answer(204))];
  expect(causesOf(letIn, passing)).toMatchObject([{ places: { length: 2 } }]);
});

describe('the clearest case', () => {
  const { USER: user, OKTA: okta } = expired;
  const unscoped = plannedCase(plan, 'search', 'USER', { holding: 'none' });
  const both = plannedCase(plan, 'search', 'USER', { validity: 'expired', holding: 'none' });
  const clearest = (...cases: readonly PlannedCase[]) =>
    clearestCase(
      cases.map((found) => ({ ...missed(user, answer(404)).verdict, case: found })),
      'token.expired',
    ).case.id;

  test('is about the requirement, even if another one has fewer faults', () => {
    expect(clearest(unscoped, both)).toBe(both.id);
    expect(clearest(both, unscoped)).toBe(both.id);
  });

  test('has the fewest faults, even if another one is closer to a well-made request', () => {
    expect(clearest({ ...both, deviations: 0 }, { ...user, deviations: 9 })).toBe(user.id);
  });

  test('is the closest to a well-made request among those that must be accepted', () => {
    const future = plannedCase(plan, 'search', 'USER', { validity: 'future-expiry' });
    const wellMade = plannedCase(plan, 'search', 'OKTA');
    expect(future.expectation.suspects.length).toBeGreaterThan(wellMade.expectation.suspects.length);
    expect(clearest({ ...wellMade, deviations: 2 }, { ...future, deviations: 1 })).toBe(future.id);
  });

  test('is the first of several that are equally clear', () => {
    expect(clearest(okta, user)).toBe(okta.id);
  });
});
