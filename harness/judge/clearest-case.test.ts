import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import { answer, plannedCase } from '../testing/small-world.ts';
import { missed, plan } from '../testing/verdicts.ts';
import { clearestCase } from './causes.ts';

describe('the clearest case', () => {
  const [user, okta] = ['USER', 'OKTA'].map((kind) => plannedCase(plan, 'search', kind, { validity: 'expired' })) as [
    PlannedCase,
    PlannedCase,
  ];
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
