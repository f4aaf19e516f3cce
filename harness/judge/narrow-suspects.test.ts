import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import { answer, contract, messageText, plannedCase } from '../testing/small-world.ts';
import { missed, plan } from '../testing/verdicts.ts';
import type { Missed } from './conjunction.ts';
import { narrowSuspects } from './findings.ts';

const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
const unscoped = plannedCase(plan, 'search', 'USER', { holding: 'none' });
const both = plannedCase(plan, 'search', 'USER', { validity: 'expired', holding: 'none' });
const unknownPerson = plannedCase(plan, 'search', 'GLOBAL', { 'act-as': 'unknown' });
const unknownAndUnscoped = plannedCase(plan, 'search', 'GLOBAL', { 'act-as': 'unknown', holding: 'none' });
const okta = plannedCase(plan, 'search', 'OKTA');
const notFound = answer(404);
const gone = answer(410);

/** What the last of these cases is blamed on. */
const blamed = (...all: readonly Missed[]) => [
  ...new Set(
    narrowSuspects(contract, all)
      .at(-1)
      ?.suspects.map(({ template }) => template),
  ),
];

describe('a case with two faults is blamed', () => {
  test('on both if no case with a single fault is wrong', () => {
    expect(blamed(missed(both, notFound))).toEqual(['token.expired', 'scope.{operation}']);
  });

  test('on the fault that a case with a single fault proves broken', () => {
    expect(blamed(missed(expired, notFound), missed(both, notFound))).toEqual(['token.expired']);
    expect(blamed(missed(unscoped, gone), missed(both, notFound))).toEqual(['scope.{operation}']);
  });

  test('on the one that the same answer proves broken, if both are proven', () => {
    const singles = [missed(expired, notFound), missed(unscoped, gone)];
    expect(blamed(...singles, missed(both, notFound))).toEqual(['token.expired']);
    expect(blamed(...singles, missed(both, gone))).toEqual(['scope.{operation}']);
  });

  test('on both if the same answer proves both, or neither', () => {
    const alike = [missed(expired, notFound), missed(unscoped, notFound)];
    expect(blamed(...alike, missed(both, notFound))).toEqual(['token.expired', 'scope.{operation}']);
    expect(blamed(...alike, missed(both, gone))).toEqual(['token.expired', 'scope.{operation}']);
  });

  test('and proves neither of them broken for another case', () => {
    const other = plannedCase(plan, 'search', 'GLOBAL', { validity: 'expired', 'act-as': 'absent' });
    expect(blamed(missed(both, notFound), missed(other, notFound))).toEqual(['token.expired', 'act-as.missing']);
  });
});

describe('an external token with another authentication type is blamed', () => {
  const untyped = plannedCase(plan, 'search', 'OKTA', { 'auth-type': 'absent' });
  const typed = plannedCase(plan, 'search', 'OKTA', { 'auth-type': 'other-value' });
  const ofAzure = plannedCase(plan, 'search', 'AZURE', { 'auth-type': 'other-value' });

  test('on the missing header, if a token without it is accepted, too', () => {
    expect(blamed(missed(untyped, answer(200)), missed(typed, answer(200)))).toEqual(['auth-type.missing']);
  });

  test('on its value, if only that is accepted, or elsewhere, or if the other gets another outcome', () => {
    expect(blamed(missed(typed, answer(200)))).toEqual(['auth-type.other']);
    expect(blamed(missed(untyped, answer(200)), missed(ofAzure, answer(200)))).toEqual(['auth-type.other']);
    expect(blamed(missed(untyped, answer(500)), missed(typed, answer(200)))).toEqual(['auth-type.other']);
  });

  test('on its value, if only an expired token without it is accepted', () => {
    const expiredUntyped = withBothFaults(untyped, plannedCase(plan, 'search', 'OKTA', { validity: 'expired' }));
    expect(blamed(expiredUntyped, missed(typed, answer(200)))).toEqual(['auth-type.other']);
  });

  test('on its value and its expiry, if it is expired and only a valid token without the header is accepted', () => {
    const expiredTyped = withBothFaults(typed, plannedCase(plan, 'search', 'OKTA', { validity: 'expired' }));
    expect(blamed(missed(untyped, answer(200)), expiredTyped)).toEqual(['auth-type.other', 'token.expired']);
  });

  /** The first case as if it had the fault of the other, too. It is accepted. */
  function withBothFaults(one: PlannedCase, other: PlannedCase): Missed {
    const [first, second] = [missed(one, answer(200)), missed(other, answer(200))];
    return { ...first, suspects: [...first.suspects, ...second.suspects] };
  }
});

describe('a misplaced message is blamed', () => {
  const said = (status: number) => answer(status, messageText('act-as-missing'));
  const stray = () => missed(unknownAndUnscoped, said(403));

  test('on the requirement about the message', () => {
    expect(blamed(stray())).toEqual(['message.act-as-missing']);
  });

  test('on a fault of the case that gets the same answer alone', () => {
    expect(blamed(missed(unknownPerson, said(403)), stray())).toEqual(['act-as.unknown']);
  });

  test('not on a fault that gets another answer alone', () => {
    expect(blamed(missed(unknownPerson, said(404)), stray())).toEqual(['message.act-as-missing']);
  });

  test('on the cause of its control, if nothing else is proven', () => {
    const refused = missed(okta, answer(401));
    const [only] = refused.suspects;
    if (!only) throw new Error('no suspect');
    const control: Missed = { ...refused, suspects: [only] };
    expect(blamed(control, { ...stray(), suspects: [...stray().suspects, only] })).toEqual([only.template]);
  });
});
