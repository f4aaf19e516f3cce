import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import { answering, causes, expired, misreading, named, refuses } from '../testing/findings.ts';
import { answer, rightAnswer, SEARCH_BODY, taking } from '../testing/small-world.ts';

describe('findings', () => {
  test('blame a requirement that is already blamed rather than another one', () => {
    const found = misreading(
      taking((v) => v['header-case'] === 'lower' && v.validity !== '-', { 'act-as': 'absent', 'auth-type': 'absent' }),
    );
    expect(found.map(({ template }) => template)).toEqual(['headers.case']);
  });

  test('begin with the one that has the most cases', () => {
    const found = answering((values) => refuses(values), answer(404));
    const sizes = found.map(({ cases }) => cases.length);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });
});

describe('a finding', () => {
  test('has no conditions if the fault is overlooked everywhere', () => {
    expect(named(misreading(taking(expired, { validity: 'valid' })))).toEqual(['token.expired']);
  });

  test('of a 2xx other than 200 names the place where it comes', () => {
    const created = ({ values }: PlannedCase) => {
      const right = rightAnswer(values);
      const here = values.kind === 'OKTA' && values.operation === 'search' && right.status === 200;
      return here ? answer(201, SEARCH_BODY) : right;
    };
    expect(named(causes(created))).toEqual(['{operation}.success kind:OKTA&operation:search']);
  });
});

describe('a refusal whose control is wrongly refused belongs to the cause of its control', () => {
  test('if the target does not read lower-case header names', () => {
    const reading = taking((v) => v['header-case'] === 'lower' && v.family === 'external', { 'auth-type': 'absent' });
    expect(named(misreading(reading))).toEqual(['headers.case family:external']);
  });

  test('if the target refuses every token of a kind', () => {
    const found = answering(({ kind, family }) => kind === 'ONELOGIN' || family === 'none', answer(401));
    expect(named(found)).toEqual(['oauth.external kind:ONELOGIN']);
  });

  test('unless it is a wrong acceptance', () => {
    const found = causes(({ values }) => {
      if (values.kind !== 'ONELOGIN') return rightAnswer(values);
      return expired(values) ? answer(200, SEARCH_BODY, undefined, values.operation) : answer(401);
    });
    expect(named(found)).toContain('token.expired kind:ONELOGIN');
  });
});
