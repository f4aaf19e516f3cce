import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { Observation } from '../record/observation.ts';
import {
  answering,
  causes,
  expired,
  isGlobal,
  misreading,
  named,
  refuses,
  scoped,
  shown,
} from '../testing/findings.ts';
import { answer, messageText, type Reading, rightAnswer, taking } from '../testing/small-world.ts';

describe('the attribution of a cause', () => {
  const bases = (findings: ReturnType<typeof misreading>) => findings.map(({ attribution }) => attribution.basis);

  test('is that of the broken rule', () => {
    expect(bases(misreading(taking(expired, { validity: 'valid' })))).toEqual(['stated']);
    expect(bases(answering(({ authorization }) => authorization === 'absent', answer(404)))).toEqual(['interpreted']);
  });

  test('is stated if a stated and an interpreted rule of the requirement are broken alike', () => {
    const unknown = ({ kind }: Values) => kind === 'unknown';
    expect(bases(answering(unknown, answer(404)))).toEqual(['stated']);
  });

  test('is interpreted for a documented message under another condition', () => {
    const stray = answer(401, JSON.stringify({ error: messageText('act-as-missing') }));
    const [finding] = answering(expired, stray);
    expect(finding).toMatchObject({ template: 'message.act-as-missing', attribution: { basis: 'interpreted' } });
  });
});

describe('one broken rule is one cause', () => {
  const is = (dimension: keyof Values, value: string) => (values: Values) => values[dimension] === value;
  const valid = { validity: 'valid' };
  const existing = { 'act-as': 'existing' };
  test.each<[string, Reading, string]>([
    ['expired tokens are accepted', taking(expired, valid), 'token.expired'],
    ['tampered tokens are accepted', taking(is('validity', 'tampered'), valid), 'token.tampered'],
    ['scopes are not checked', taking(scoped, { holding: 'all' }), 'scope.{operation}'],
    [
      'OAuth permissions are not checked',
      taking(({ family }) => family === 'own' || family === 'external', { holding: 'all' }),
      'scope.{operation}',
    ],
    [
      'unknown people are accepted',
      taking((v) => v['act-as']?.startsWith('unknown') === true, existing),
      'act-as.unknown',
    ],
    [
      'a GLOBAL token without X-Service-ActAs is accepted',
      taking((v) => isGlobal(v) && is('act-as', 'absent')(v), existing),
      'act-as.missing',
    ],
    [
      'an external token without X-Service-Auth-Type is accepted',
      taking(is('family', 'external'), { 'auth-type': 'OAUTH' }),
      'auth-type.missing',
    ],
  ])('%s', (_what, reading, template) => {
    expect(misreading(reading)).toMatchObject([{ id: 'F1', verdict: 'fail', template }]);
  });

  test.each<[string, (values: Values) => boolean, Observation, string]>([
    ['an expired token is answered with 403', expired, answer(403), 'token.expired'],
    [
      'a request without Authorization is answered with 403',
      is('family', 'none'),
      answer(403),
      'authorization.required',
    ],
    [
      'a message has other words',
      (v) => isGlobal(v) && is('act-as', 'absent')(v),
      answer(400, 'who?'),
      'act-as.missing',
    ],
  ])('%s', (_what, where, other, template) => {
    expect(answering(where, other)[0]?.template).toBe(template);
  });

  test('and names the requirement of every operation that is broken', () => {
    const [found] = misreading(taking(scoped, { holding: 'all' }));
    expect(found?.requirements).toEqual(['scope.chat', 'scope.search']);
    expect(found?.places).toEqual([[]]);
  });
});

describe('a cause has the fewest conditions that separate it from cases that pass', () => {
  const all = { holding: 'all' };
  test.each<[string, Reading, string]>([
    ['one kind', taking((v) => expired(v) && v.kind === 'OKTA', { validity: 'valid' }), 'token.expired kind:OKTA'],
    ['one family', taking(({ family }) => family === 'external', all), 'scope.{operation} family:external'],
    ['one operation', taking((v) => scoped(v) && v.operation === 'chat', all), 'scope.{operation} operation:chat'],
    [
      'one kind on one operation',
      taking((v) => v.kind === 'USER' && v.operation === 'chat', all),
      'scope.{operation} kind:USER&operation:chat',
    ],
  ])('%s', (_what, reading, expected) => {
    expect(named(misreading(reading))).toEqual([expected]);
  });

  test('such as one scope that is accepted for another', () => {
    const reading = taking((v) => scoped(v) && v.holding === 'only:AGENTS' && v.operation === 'chat', {
      holding: 'all',
    });
    expect(named(misreading(reading))).toEqual(['scope.{operation} operation:chat&holding:only:AGENTS']);
  });

  test('and never more than three', () => {
    const where = (v: Values) => expired(v) && v.kind === 'USER' && v.operation === 'chat' && v.holding === 'all';
    const places = misreading(taking(where, { validity: 'valid' })).flatMap((found) => found.places);
    expect(Math.max(...places.map(({ length }) => length))).toBeLessThanOrEqual(3);
  });
});

describe('two broken rules are two causes', () => {
  test('with the wider one first', () => {
    const found = misreading(
      taking(scoped, { holding: 'all' }),
      taking((values) => expired(values) && values.kind === 'OKTA', { validity: 'valid' }),
    );
    expect(named(found)).toEqual(['scope.{operation}', 'token.expired kind:OKTA']);
    expect(found.map(({ id }) => id)).toEqual(['F1', 'F2']);
    expect(found[0]?.cases.length).toBeGreaterThan(found[1]?.cases.length ?? 0);
  });

  test('but the same rule, broken in the same way in two places, is one cause', () => {
    const where = ({ kind, operation }: Values) =>
      (kind === 'OKTA' && operation === 'chat') || (kind === 'USER' && operation === 'search');
    const [found, ...more] = misreading(taking((values) => expired(values) && where(values), { validity: 'valid' }));
    expect(more).toEqual([]);
    expect(found?.places.map(shown).sort()).toEqual(['kind:OKTA&operation:chat', 'kind:USER&operation:search']);
  });

  test('even of the same requirement, if it is broken in two ways', () => {
    const found = causes(({ values }) => {
      if (!expired(values) || !/^(OKTA|USER)$/.test(values.kind)) return rightAnswer(values);
      return answer(values.kind === 'USER' ? 403 : 404);
    });
    expect(named(found).sort()).toEqual(['token.expired kind:OKTA', 'token.expired kind:USER']);
  });
});

describe('a finding', () => {
  test('has the well-made request with the one fault as its example, also if two rules forbid that', () => {
    const [found] = misreading(taking(({ validity }) => validity === 'tampered', { validity: 'valid' }));
    expect(found?.example?.case.expectation.suspects.length).toBeGreaterThan(1);
    expect(found?.example?.case.deviations).toBe(1);
  });

  test('has the case with the fewest faults as its example', () => {
    const [found] = answering(expired, answer(404));
    const suspects = found?.example?.case.expectation.suspects.map(({ requirement }) => requirement);
    expect([...new Set(suspects)]).toEqual(['token.expired']);
  });

  test('of a misplaced message blames the requirement about the message', () => {
    const identity = answer(401, JSON.stringify({ error: messageText('invalid-identity') }));
    expect(named(answering((v) => expired(v) && v['act-as'] === 'absent', identity))).toEqual([
      'message.invalid-identity validity:expired&act-as:absent',
    ]);
  });

  test('of a missed recommendation is a warning', () => {
    const found = answering(({ body, operation }) => body === 'missing-field' && operation === 'search', answer(500));
    expect(found).toMatchObject([{ verdict: 'warn', requirements: ['search.request'] }]);
  });

  test('of a wrong refusal that does not repeat is inconclusive', () => {
    let sent = 0;
    const found = causes(
      ({ values }) => (expired(values) && values.kind === 'USER' && sent++ === 0 ? answer(403) : rightAnswer(values)),
      { times: 4 },
    );
    expect(found).toMatchObject([
      {
        verdict: 'inconclusive',
        template: 'token.expired',
        requirements: ['token.expired'],
        places: [],
        scattered: 1,
        decisions: [],
      },
    ]);
  });

  test('has a caveat if all its cases use one credential of the operator', () => {
    const one = (values: Values) => isGlobal(values) && expired(values) && values.holding === 'all';
    const accepting = (where: (values: Values) => boolean) => (planned: PlannedCase) =>
      rightAnswer(taking(where, { validity: 'valid' })(planned.values));
    const [found] = causes(accepting(one), { trusted: false });
    expect(found?.caveat).toMatch(/all cases use \$GLOBAL_TOKEN_EXPIRED: check/);
    expect(causes(accepting(one), { trusted: true })[0]).not.toHaveProperty('caveat');
    expect(causes(accepting(expired), { trusted: false })[0]).not.toHaveProperty('caveat');
  });

  test('does not blame a misplaced message if the same answer to a single fault is wrong anyway', () => {
    const unknown = (values: Values) =>
      isGlobal(values) && values['act-as']?.startsWith('unknown') === true && !expired(values);
    const found = answering(unknown, answer(400, messageText('act-as-missing')));
    expect(found).toMatchObject([{ template: 'act-as.unknown' }]);
    expect(found[0]?.cases.some(({ case: { values } }) => values['auth-type'] !== 'absent')).toBe(true);
  });

  test('does not exist for a conforming target', () => {
    expect(causes(({ values }) => rightAnswer(values), { trusted: false })).toEqual([]);
  });
});

test('findings always come in the same order', () => {
  const broken = () => named(answering((values) => refuses(values) && isGlobal(values), answer(404)));
  expect(broken()).toEqual(broken());
  expect(broken().length).toBeGreaterThan(4);
});
