import { expect, test } from 'vitest';
import { named } from '../testing/findings.ts';
import { answer, caseOf, casesAt, contract, messageText, plannedCase, planWith } from '../testing/small-world.ts';
import { decide, several } from '../testing/verdicts.ts';
import { findingsOf } from './findings.ts';

/** An expired token with a header that it does not need: a target may refuse either. */
const open = { validity: 'expired', 'act-as': 'existing' };
const openWithTwoFaults = { ...open, holding: 'none' };
const plan = planWith({}, 'core', (depth) => [...casesAt(depth), caseOf('search', 'USER', openWithTwoFaults)]);

const search = (changes: Record<string, string>, seen: ReturnType<typeof answer>) =>
  decide(several(plannedCase(plan, 'search', 'USER', changes), seen, seen), true);
/** The findings if an expired token gets a wrong status, and another case this answer. */
const beside = (...other: Parameters<typeof search>) =>
  named(findingsOf(contract, [search({ validity: 'expired' }, answer(404)), search(...other)], [], true));

test('a cause does not cover a right refusal of the same fault, although something of that case is left open', () => {
  expect(beside(open, answer(401))).toEqual(['token.expired act-as:absent']);
});

test('a cause covers the case that is left open if its refusal is about that', () => {
  expect(beside(open, answer(404))).toEqual(['token.expired']);
});

test('a right refusal of two faults does not show which of them caused it, and separates no cause', () => {
  expect(beside(openWithTwoFaults, answer(401))).toEqual(['token.expired']);
});

test('a refusal with the right status and a wrong message is not right, and separates no cause', () => {
  const misplaced = answer(401, JSON.stringify({ error: messageText('act-as-missing') }));
  expect(beside(open, misplaced).sort()).toEqual(['message.act-as-missing', 'token.expired']);
});
