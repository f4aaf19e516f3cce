import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { Decision } from '../record/exchange.ts';
import { answering, causes, expired, misreading, named, refuses } from '../testing/findings.ts';
import {
  answer,
  caseOf,
  casesAt,
  contract,
  plannedCase,
  planWith,
  rightAnswer,
  SEARCH_BODY,
  taking,
} from '../testing/small-world.ts';
import { decide, plan, several } from '../testing/verdicts.ts';
import { type Finding, findingsOf, withWarnings } from './findings.ts';

describe('findings', () => {
  test('blame a requirement that is already blamed rather than another one', () => {
    const found = misreading(
      taking((v) => v['header-case'] === 'lower' && v.validity !== '-', { 'act-as': 'absent', 'auth-type': 'absent' }),
    );
    expect(found.map(({ template }) => template)).toEqual(['headers.case']);
  });

  test('of one verdict begin with the one that has the most cases', () => {
    // One of them gets the right answer, so that no single fault explains the others.
    const isRight = ({ kind }: Values) => kind === 'unknown';
    const found = answering((values) => refuses(values) && !isRight(values), answer(404));
    for (const verdict of ['fail', 'warn']) {
      const sizes = found.filter((one) => one.verdict === verdict).map(({ cases }) => cases.length);
      expect(sizes.length).toBeGreaterThan(1);
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    }
  });

  test('begin with the one that lets somebody in, although it only warns of others', () => {
    const found = causes(({ values }) => {
      if (values.authorization === 'absent') return answer(values.operation === 'search' ? 200 : 403, SEARCH_BODY);
      return expired(values) ? answer(404) : rightAnswer(values);
    });
    expect(found.map(({ template }) => template)).toEqual(['authorization.required', 'token.expired']);
    expect(new Set(found[0]?.cases.map(({ verdict }) => verdict))).toEqual(new Set(['fail', 'warn']));
  });
});

test('a wrong refusal is not blamed on what is wrong with an acceptance', () => {
  const found = causes(({ values }) => {
    if (values['act-as']?.startsWith('unknown') && values.kind === 'GLOBAL') return answer(400, 'Invalid identity');
    const right = rightAnswer(values);
    return right.status === 200 && values.operation === 'chat' ? answer(201) : right;
  });
  expect(found.map(({ template, requirements }) => [template, ...requirements])).toEqual([
    ['act-as.unknown', 'act-as.unknown'],
    ['chat.response', 'chat.response'],
  ]);
});

test('what a request without a token gets is not blamed on the kind of its control, unless all kinds get it', () => {
  const refusing = (where: (kind: string) => boolean) =>
    named(
      causes(({ values }) => {
        const { kind, operation } = values;
        if (kind === 'none' && values.authorization === 'absent') return answer(404);
        return where(kind) && operation === 'search' ? answer(404) : rightAnswer(values);
      }),
    );
  expect(refusing((kind) => kind === 'USER')).toEqual(['user.accepted operation:search', 'authorization.required']);
  expect(refusing(() => true)[0]).toMatch(/^search.success|^{operation}.success/);
});

describe('a finding', () => {
  test('has no conditions if the fault is overlooked everywhere', () => {
    expect(named(misreading(taking(expired, { validity: 'valid' })))).toEqual(['token.expired']);
  });

  test('names the place that a single case that passes leaves', () => {
    const verdictOn = (kind: string, status: number) => {
      const planned = plannedCase(plan, 'search', kind, { validity: 'expired' });
      return decide(several(planned, answer(status), answer(status)), true);
    };
    const found = findingsOf(contract, [verdictOn('USER', 401), verdictOn('OKTA', 404)], [], true);
    expect(named(found)).toEqual(['token.expired kind:OKTA']);
  });

  test('is interpreted if only recipes of a check show it, whatever its requirement rests on', () => {
    const one = { type: 'decision', check: 'tampering', requirement: 'token.tampered', operation: 'search' } as const;
    const decision = { ...one, kind: 'USER', verdict: 'fail', detail: 'what came', steps: [] } as const;
    const basisOf = (decisions: readonly Decision[]) =>
      findingsOf(contract, [], decisions, true).map(({ attribution }) => attribution);
    expect(basisOf([decision])).toEqual([{ basis: 'stated' }]);
    expect(basisOf([{ ...decision, interpreted: 'a recipe' }])).toEqual([{ basis: 'interpreted', reason: 'a recipe' }]);
  });

  test('has the level of the blamed requirement, not of the other faults', () => {
    const faulty = [{ body: 'missing-field' }, { body: 'missing-field', validity: 'expired' }];
    const wide = planWith({}, 'core', (depth) => [
      ...casesAt(depth),
      ...faulty.map((one) => caseOf('search', 'USER', one)),
    ]);
    const verdicts = faulty.map((one) => {
      const planned = plannedCase(wide, 'search', 'USER', one);
      return decide(several(planned, answer(500), answer(500)), true);
    });
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['warn', 'fail']);
    const found = findingsOf(contract, verdicts, [], true);
    expect(found).toMatchObject([{ template: '{operation}.request', verdict: 'warn', cases: { length: 2 } }]);
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
    const wrong = found[0]?.cases.map(({ case: { values } }) => values.scope);
    expect(new Set(wrong)).toEqual(new Set(['held', 'missing']));
  });

  test('unless it is a wrong acceptance', () => {
    const found = causes(({ values }) => {
      if (values.kind !== 'ONELOGIN') return rightAnswer(values);
      return expired(values) ? answer(200, SEARCH_BODY, undefined, values.operation) : answer(401);
    });
    expect(named(found)).toContain('token.expired kind:ONELOGIN');
  });
});

test('a wrong refusal of two faults that does not repeat is blamed on the first of them', () => {
  const both = plannedCase(plan, 'search', 'USER', { validity: 'expired', holding: 'none' });
  const once = decide(several(both, answer(404), answer(401), answer(401), answer(401)), true);
  expect(findingsOf(contract, [once], [], true)).toMatchObject([
    { verdict: 'inconclusive', requirements: ['token.expired'], attribution: { basis: 'stated' } },
  ]);
});

describe('a failing case', () => {
  const verdictOn = (kind: string, status: number) => {
    const planned = plannedCase(plan, 'search', kind, { validity: 'expired' });
    return decide(several(planned, answer(status), answer(status)), true);
  };
  const verdicts = () => [verdictOn('OKTA', 404), verdictOn('GOOGLE', 404), verdictOn('USER', 401)] as const;
  const finding = (verdict: Finding['verdict'], ...cases: Finding['cases']): Finding => {
    const [found] = findingsOf(contract, [verdictOn('OKTA', 404)], [], true);
    if (!found) throw new Error('no finding');
    return { ...found, verdict, cases };
  };

  test('becomes a warning if its cause only warns', () => {
    const [okta, google, user] = verdicts();
    const warned = withWarnings([okta, google, user], [finding('warn', okta), finding('fail', google)]);
    expect(warned).toEqual([{ ...okta, verdict: 'warn' }, google, user]);
  });

  test('still fails if its cause fails or is inconclusive', () => {
    const [okta, , user] = verdicts();
    for (const verdict of ['fail', 'inconclusive'] as const)
      expect(withWarnings([okta, user], [finding(verdict, okta, user)])).toEqual([okta, user]);
  });

  test('is the only one that a warning changes', () => {
    const [okta, , user] = verdicts();
    const lost = { ...okta, verdict: 'inconclusive' } as const;
    expect(withWarnings([lost, user], [finding('warn', lost, user)])).toEqual([lost, user]);
  });
});
