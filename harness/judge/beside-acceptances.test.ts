import { expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import type { Observation } from '../record/observation.ts';
import { accepted, answer, plannedCase } from '../testing/small-world.ts';
import { decide, plan, several } from '../testing/verdicts.ts';
import { besideAcceptances } from './beside-acceptances.ts';

const refused = answer(401);
const search = (kind: string, changes: Record<string, string> = {}) => plannedCase(plan, 'search', kind, changes);
const chat = plannedCase(plan, 'chat', 'USER');
const expired = search('USER', { validity: 'expired' });

/** The verdict on the first of these cases, beside the others. */
const beside = (...sent: readonly (readonly [PlannedCase, Observation])[]) =>
  besideAcceptances(sent.map(([planned, seen]) => decide(several(planned, seen, seen), true)))[0]?.verdict;

test('a refusal shows nothing where no well-made request of its operation and kind is accepted', () => {
  const control = [search('USER'), refused] as const;
  expect(beside([expired, refused], control)).toBe('inconclusive');
  expect(beside([expired, refused], control, [chat, accepted], [search('OKTA'), accepted])).toBe('inconclusive');
  expect(beside([expired, refused], control, [search('USER', { holding: 'none' }), accepted])).toBe('inconclusive');
  expect(beside([expired, refused], control, [search('USER', { 'header-case': 'lower' }), accepted])).toBe('pass');
  expect(beside([expired, refused], [search('USER'), accepted])).toBe('pass');
});

test('a control that was accepted at times, or not sent, takes nothing away', () => {
  const [denied, sometimes] = [
    decide(several(expired, refused), true),
    decide(several(search('USER'), refused, refused, refused, accepted), true),
  ];
  expect(besideAcceptances([denied, sometimes])[0]?.verdict).toBe('pass');
  expect(besideAcceptances([denied])[0]).toBe(denied);
  const { observation: _, ...unsent } = sometimes;
  expect(besideAcceptances([denied, { ...unsent, sent: 0 }])[0]).toBe(denied);
});

test('a request without a token of a kind needs any acceptance of its operation', () => {
  for (const kind of ['none', 'unknown']) {
    const control = [search('USER'), refused] as const;
    expect(beside([search(kind), refused], control, [chat, accepted])).toBe('inconclusive');
    expect(beside([search(kind), refused], control, [search('OKTA'), accepted])).toBe('pass');
  }
});

test('what the specification leaves open is not observed either, unless it is accepted', () => {
  const named = search('USER', { 'act-as': 'existing' });
  const control = [search('USER'), refused] as const;
  expect(beside([named, refused], control)).toBe('inconclusive');
  expect(beside([named, accepted], control)).toBe('observed');
});
