import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import { causes, expired } from '../testing/findings.ts';
import { accepted, planWith, rightAnswer } from '../testing/small-world.ts';

test('misses that share no condition are one cause with scattered cases', () => {
  // Like a load balancer with one instance that accepts expired tokens.
  const isAffected = ({ id, values }: PlannedCase) =>
    expired(values) && createHash('sha256').update(id).digest().readUInt8() % 3 === 0;
  const of = planWith({}, 'triples');
  const [found, ...others] = causes((planned) => (isAffected(planned) ? accepted : rightAnswer(planned.values)), {
    of,
  });
  expect(others).toEqual([]);
  expect(found?.template).toBe('token.expired');
  expect(found?.scattered).toBeGreaterThan(10);
  expect(found?.places.length).toBeLessThan(found?.cases.length ?? 0);
  expect(found?.cases.length).toBe([...of.cases.values()].filter(isAffected).length);
});
