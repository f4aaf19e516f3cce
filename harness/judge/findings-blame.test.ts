import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import { answering, causes, expired, misreading, named, refuses } from '../testing/findings.ts';
import { answer, contract, planWith, rightAnswer, SEARCH_BODY, sendAll, taking } from '../testing/small-world.ts';
import { findingsOf } from './findings.ts';
import { gather, judgeCases } from './judge-cases.ts';

describe('a requirement that is blamed already is blamed on', () => {
  test('where another explains what is left as well', () => {
    const found = misreading(
      taking((v) => v['header-case'] === 'lower' && v.validity !== '-', { 'act-as': 'absent', 'auth-type': 'absent' }),
    );
    expect(found.map(({ template }) => template)).toEqual(['headers.case']);
  });

  test('and the widest of all comes first, also when it was found in several places', () => {
    const found = answering((values) => refuses(values), answer(404));
    const sizes = found.map(({ cases }) => cases.length);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });
});

describe('what only some faults of a case may explain', () => {
  test('does not narrow the place of the fault that is never seen', () => {
    expect(named(misreading(taking(expired, { validity: 'valid' })))).toEqual(['token.expired']);
  });

  test('is as grave as what is blamed, whatever else the case breaks', () => {
    const wide = planWith({}, 'pairwise');
    const respond = ({ values }: PlannedCase) =>
      values.body === 'missing-field' && values.validity !== '-' ? answer(500) : rightAnswer(values);
    const verdicts = judgeCases(
      { contract, plan: wide, trusted: true },
      wide.cases.values(),
      gather(sendAll(wide, respond)),
    );
    const found = findingsOf(contract, verdicts, [], true);
    expect(found.map(({ template, verdict }) => [template, verdict])).toEqual([['{operation}.request', 'warn']]);
  });

  test('of another status than 200 is the place where it comes', () => {
    const created = ({ values }: PlannedCase) => {
      const right = rightAnswer(values);
      const here = values.kind === 'OKTA' && values.operation === 'search' && right.status === 200;
      return here ? answer(201, SEARCH_BODY) : right;
    };
    expect(named(causes(created))).toEqual(['{operation}.success kind:OKTA&operation:search']);
  });
});

describe('a denial whose control is wrongly refused is part of the cause of its control', () => {
  test('where lower-case header names are not read', () => {
    const reading = taking((v) => v['header-case'] === 'lower' && v.family === 'external', { 'auth-type': 'absent' });
    expect(named(misreading(reading))).toEqual(['headers.case family:external']);
  });

  test('where a kind is refused altogether', () => {
    const found = answering(({ kind, family }) => kind === 'ONELOGIN' || family === 'none', answer(401));
    expect(named(found)).toEqual(['oauth.external kind:ONELOGIN']);
  });

  test('but a wrong acceptance stays its own', () => {
    const found = causes(({ values }) => {
      if (values.kind !== 'ONELOGIN') return rightAnswer(values);
      return expired(values) ? answer(200, SEARCH_BODY, undefined, values.operation) : answer(401);
    });
    expect(named(found)).toContain('token.expired kind:ONELOGIN');
  });
});
