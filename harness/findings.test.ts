import { describe, expect, test } from 'vitest';
import type { Values } from './cases.ts';
import { type Finding, findCauses } from './findings.ts';
import type { Observation } from './observation.ts';
import type { PlannedCase } from './plan.ts';
import {
  answer,
  contract,
  messageText,
  planWith,
  type Reading,
  rightAnswer,
  SEARCH_BODY,
  sendAll,
  taking,
} from './small-world.test.setup.ts';
import { decideCases, gather } from './verdicts.ts';

const plan = planWith();

function causes(
  respond: (planned: PlannedCase) => Observation,
  { trusted = true, times = 2 } = {},
): readonly Finding[] {
  const evidence = gather(sendAll(plan, respond, times));
  return findCauses(contract, decideCases(contract, plan, plan.cases.values(), evidence, trusted), trusted);
}

/** What is found of a target that takes requests for others. */
const misreading = (...readings: readonly Reading[]) =>
  causes(({ values }) => rightAnswer(readings.reduce((seen, read) => read(seen), values)));

/** What is found of a target that gives one other answer. */
const answering = (where: (values: Values) => boolean, other: Observation) =>
  causes(({ values }) => (where(values) ? other : rightAnswer(values)));

/** `token.expired kind:OKTA`: the requirement's template and the conditions. */
const named = (findings: readonly Finding[]) =>
  findings.map(({ template, conditions }) =>
    [template, ...conditions.map(({ aspect, value }) => `${aspect}:${value}`)].join(' '),
  );

const expired = ({ validity }: Values) => validity === 'expired';
const refuses = (values: Values) => rightAnswer(values).status >= 400;

describe('one broken rule is one cause', () => {
  test.each<[string, Reading, string]>([
    ['expired tokens are accepted', taking(expired, { validity: 'valid' }), 'token.expired'],
    [
      'tampered tokens are accepted',
      taking(({ validity }) => validity === 'tampered', { validity: 'valid' }),
      'token.tampered',
    ],
    ['scopes are not looked at', taking(({ family }) => family === 'service', { holding: 'all' }), 'scope.{operation}'],
    [
      'OAuth permissions are not looked at',
      taking(({ family }) => family !== 'service', { holding: 'all' }),
      'oauth.permission',
    ],
    [
      'unknown people are accepted',
      taking((v) => v['act-as'].startsWith('unknown'), { 'act-as': 'existing' }),
      'act-as.unknown',
    ],
    [
      'a missing act-as is not missed',
      taking((v) => v.kind === 'GLOBAL' && v['act-as'] === 'absent', { 'act-as': 'existing' }),
      'act-as.missing',
    ],
    [
      'a missing auth type is not missed',
      taking(({ family }) => family === 'external', { 'auth-type': 'OAUTH' }),
      'auth-type.missing',
    ],
  ])('%s', (_what, reading, template) => {
    const found = misreading(reading);
    expect(named(found)).toEqual([template]);
    expect(found[0]).toMatchObject({ id: 'F1', verdict: 'fail' });
  });

  test.each<[string, (values: Values) => boolean, Observation, string]>([
    ['an expired token is forbidden', expired, answer(403), 'token.expired'],
    [
      'a request without Authorization is forbidden',
      ({ family }) => family === 'none',
      answer(403),
      'authorization.required authorization:absent',
    ],
    [
      'the missing act-as is said in other words',
      (v) => v.kind === 'GLOBAL' && v['act-as'] === 'absent',
      answer(400, 'who?'),
      'act-as.missing',
    ],
  ])('%s', (_what, where, other, template) => {
    expect(named(answering(where, other))[0]).toBe(template);
  });

  test('and names the requirement of every operation that it breaks', () => {
    const [found] = misreading(taking(({ family }) => family === 'service', { holding: 'all' }));
    expect(found?.requirements).toEqual(['scope.chat', 'scope.search']);
  });
});

describe('a cause has the fewest conditions that tell it from what passes', () => {
  const scopes = (values: Values) => values.family === 'service';
  test.each<[string, (values: Values) => boolean, string]>([
    ['one kind', ({ kind }) => kind === 'OKTA', 'token.expired kind:OKTA'],
    ['one family', ({ family }) => family === 'service', 'token.expired family:service'],
    ['one operation', ({ operation }) => operation === 'chat', 'token.expired operation:chat'],
    [
      'one kind on one operation',
      (v) => v.kind === 'OKTA' && v.operation === 'chat',
      'token.expired kind:OKTA operation:chat',
    ],
  ])('%s', (_what, where, expected) => {
    expect(named(misreading(taking((values) => expired(values) && where(values), { validity: 'valid' })))).toEqual([
      expected,
    ]);
  });

  test('such as one scope that stands in for another', () => {
    const reading = taking((v) => scopes(v) && v.holding === 'only:AGENTS' && v.operation === 'chat', {
      holding: 'all',
    });
    expect(named(misreading(reading))).toEqual(['scope.{operation} operation:chat holding:only:AGENTS']);
  });

  test('and never more than three', () => {
    const where = (v: Values) => expired(v) && v.kind === 'USER' && v.operation === 'chat' && v.holding === 'all';
    for (const { conditions } of misreading(taking(where, { validity: 'valid' })))
      expect(conditions.length).toBeLessThanOrEqual(3);
  });
});

describe('two broken rules are two causes', () => {
  test('the wider one first', () => {
    const found = misreading(
      taking(({ family }) => family === 'service', { holding: 'all' }),
      taking((values) => expired(values) && values.kind === 'OKTA', { validity: 'valid' }),
    );
    expect(named(found)).toEqual(['scope.{operation}', 'token.expired kind:OKTA']);
    expect(found.map(({ id }) => id)).toEqual(['F1', 'F2']);
    expect(found[0]?.cases.length).toBeGreaterThan(found[1]?.cases.length ?? 0);
  });

  test('of the same requirement, where nothing simpler covers both', () => {
    const where = ({ kind, operation }: Values) =>
      (kind === 'OKTA' && operation === 'chat') || (kind === 'USER' && operation === 'search');
    const found = named(misreading(taking((values) => expired(values) && where(values), { validity: 'valid' })));
    expect(found.sort()).toEqual([
      'token.expired kind:OKTA operation:chat',
      'token.expired kind:USER operation:search',
    ]);
  });
});

describe('a denial whose control is wrongly refused is part of the cause of its control', () => {
  test('where lower-case header names are not read', () => {
    const reading = taking((v) => v['header-case'] === 'lower' && v.kind !== 'unknown' && v.family !== 'none', {
      'act-as': 'absent',
      'auth-type': 'absent',
    });
    expect(named(misreading(reading))).toEqual(['headers.case']);
  });

  test('where a kind is refused altogether', () => {
    const found = answering(({ kind, family }) => kind === 'ONELOGIN' || family === 'none', answer(401));
    expect(named(found)).toEqual(['oauth.external kind:ONELOGIN']);
    expect(found[0]?.example.case.expectation.kind).toBe('accept');
  });

  test('but a wrong acceptance stays its own', () => {
    const found = causes(({ values }) => {
      if (values.kind !== 'ONELOGIN') return rightAnswer(values);
      return expired(values) ? answer(200, SEARCH_BODY, undefined, values.operation) : answer(401);
    });
    expect(named(found)).toContain('token.expired kind:ONELOGIN');
  });
});

describe('a finding', () => {
  test('is shown by its plainest case', () => {
    const [found] = misreading(taking(expired, { validity: 'valid' }));
    expect(found?.example.case.expectation.suspects).toHaveLength(1);
  });

  test('of a message where nothing allows it blames the message', () => {
    const identity = answer(401, JSON.stringify({ error: messageText('invalid-identity') }));
    expect(named(answering((v) => expired(v) && v['act-as'] === 'absent', identity))).toEqual([
      'message.invalid-identity',
    ]);
  });

  test('of what is only recommended is a warning', () => {
    const found = answering(({ body, operation }) => body === 'missing-field' && operation === 'search', answer(500));
    expect(found).toMatchObject([{ verdict: 'warn', requirements: ['search.request'] }]);
  });

  test('of a wrong refusal that came once and not again is inconclusive', () => {
    let sent = 0;
    const found = causes(
      ({ values }) => (expired(values) && values.kind === 'USER' && sent++ === 0 ? answer(403) : rightAnswer(values)),
      { times: 4 },
    );
    expect(found).toMatchObject([
      { verdict: 'inconclusive', template: 'token.expired', requirements: ['token.expired'] },
    ]);
  });

  test('that rests on one credential of the operator says so', () => {
    const where = ({ kind, validity }: Values) => kind === 'GLOBAL' && validity === 'expired';
    const respond = ({ values }: PlannedCase) =>
      where(values) ? rightAnswer({ ...values, validity: 'valid' }) : rightAnswer(values);
    const accepting = ({ values }: PlannedCase) =>
      where(values) ? answer(200, SEARCH_BODY, undefined, values.operation) : respond({ values } as PlannedCase);
    expect(causes(accepting, { trusted: false })[0]?.caveat).toMatch(
      /\$GLOBAL_TOKEN_EXPIRED is not what its name says/,
    );
    expect(causes(accepting, { trusted: true })[0]).not.toHaveProperty('caveat');
    const all = causes(({ values }) => (expired(values) ? answer(403) : rightAnswer(values)), { trusted: false });
    expect(all[0]).not.toHaveProperty('caveat');
  });

  test('is not made of a target that is right, and always in the same order', () => {
    expect(causes(({ values }) => rightAnswer(values), { trusted: false })).toEqual([]);
    const broken = () => named(answering((values) => refuses(values), answer(404)));
    expect(broken()).toEqual(broken());
    expect(broken().length).toBeGreaterThan(5);
  });
});
