import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import { answering, causes, expired, named, refuses, scoped, shown } from '../testing/findings.ts';
import { accepted, answer, contract, rightAnswer } from '../testing/small-world.ts';
import { plan } from '../testing/verdicts.ts';
import { joinRemembered, OTHER_REQUESTS } from './alike-causes.ts';
import { tallyUp } from './tallies.ts';

const broken = answer(500);
const found = (where: (values: Values) => boolean, other = broken) =>
  answering(where, other).map(({ verdict, requirements }) => `${verdict} ${requirements.join(' ')}`);

describe('one wrong answer', () => {
  test('to each request with a header is one cause', () => {
    expect(found((values) => values['act-as'] !== 'absent')).toEqual([
      'fail authorization.required global.accepted token.unknown',
      'warn act-as.doubled act-as.not-needed',
    ]);
    expect(found((values) => values['auth-type'] !== 'absent').filter((line) => line.startsWith('fail'))).toHaveLength(
      1,
    );
  });

  test('to each request of an operation, or of the run, is one cause, and what well-made requests show leads it', () => {
    const [first, ...others] = answering(({ operation }) => operation === 'search', answer(200, ''));
    expect(first).toMatchObject({ template: 'search.response', example: { case: { deviations: 0 } } });
    expect(others.map(({ verdict }) => verdict)).toEqual(['warn']);
    expect(first?.places.map(shown)).toEqual(['operation:search']);
    expect(causes(() => accepted).filter(({ verdict }) => verdict === 'fail')).toHaveLength(1);
  });
});

describe('one status', () => {
  test.each([
    ['every refusal', refuses, answer(500)],
    ['every refusal, the status of a success', refuses, accepted],
    ['each refusal of an operation', (values: Values) => refuses(values) && values.operation === 'chat', broken],
    ['whatever is refused with 401', (values: Values) => rightAnswer(values).status === 401, answer(302)],
  ])('for %s is one cause', (_what, where, other) => {
    const failures = answering(where, other).filter(({ verdict }) => verdict === 'fail');
    expect(failures).toHaveLength(1);
    expect(failures[0]?.requirements.length).toBeGreaterThan(3);
  });

  test('for two requirements is two causes if another one of their status is kept', () => {
    const isOther = ({ kind, validity }: Values) => kind === 'unknown' || validity === 'expired';
    expect(answering((values) => refuses(values) && isOther(values), answer(302)).length).toBeGreaterThan(1);
  });
});

describe('a kind of token that is accepted whatever it is', () => {
  const ofKind = ({ kind, validity, scope }: Values) =>
    kind === 'USER' && (['expired', 'tampered'].includes(validity) || scope === 'missing');

  test('is one cause', () => {
    expect(answering(ofKind, accepted)).toMatchObject([
      { requirements: ['scope.chat', 'scope.search', 'token.expired', 'token.tampered'] },
    ]);
  });

  test('is several causes if one of its tokens is refused', () => {
    const found = answering((values) => ofKind(values) && values.validity !== 'tampered', accepted);
    expect(found.length).toBeGreaterThan(1);
  });
});

test('a place counts for what is broken there only', () => {
  const everywhere = answering((values) => values['act-as'] !== 'absent', broken);
  expect(everywhere[0]?.requirements).toContain('authorization.required');
  const verdicts = everywhere.flatMap(({ cases }) => cases);
  const tallies = tallyUp({ contract, plan, verdicts, findings: everywhere, decisions: [] });
  const units = [...(tallies.get('authorization.required') ?? [])].filter(([, { decided }]) => decided > 0);
  expect(new Set(units.map(([unit]) => unit.split('/')[1]))).toEqual(new Set(['none']));
});

describe('two faults are two causes', () => {
  test('if a request of that place gets another answer, or got the right one at a time', () => {
    const isNamed = (values: Values) => values['act-as'] !== 'absent';
    const all = found(isNamed).length;
    expect(found((values) => isNamed(values) && values['act-as'] !== 'blank').length).toBeGreaterThan(all);
  });

  test('if their answers are alike, but not what is beside them', () => {
    expect(
      named(answering((values) => expired(values) || (scoped(values) && values.holding === 'none'), broken)).length,
    ).toBe(2);
    expect(
      named(
        causes((planned) =>
          expired(planned.values) ? broken : planned.values.kind === 'unknown' ? broken : rightAnswer(planned.values),
        ),
      ),
    ).toEqual(['token.expired', 'token.unknown']);
  });
});

describe('a target that accepts from a request on what it refused before', () => {
  const isAuth = (values: Values) => refuses(values) && values.body === 'valid';
  /** The findings, if it breaks down after a part of the cases. */
  const brokenAfter = (part: number, stays = (_values: Values) => false) => {
    const order = new Map([...plan.cases.keys()].map((id, at) => [id, at / plan.cases.size]));
    return causes(({ id, values }) =>
      isAuth(values) && !stays(values) && (order.get(id) ?? 0) > part ? accepted : rightAnswer(values),
    ).filter(({ verdict }) => verdict === 'fail');
  };

  test('has one fault, said with that request', () => {
    const failures = brokenAfter(0.5);
    expect(failures).toMatchObject([{ places: [[]], since: expect.any(Number) }]);
    expect(failures[0]?.requirements.length).toBeGreaterThan(3);
    expect(failures[0]?.since).toBeLessThan(plan.cases.size * 2);
  });

  test('has two, if it accepts only what two faults explain', () => {
    const isOther = ({ validity, 'act-as': named }: Values) => validity !== 'expired' && named !== 'unknown';
    expect(brokenAfter(0.5, isOther).map(({ since }) => since)).toEqual([undefined, undefined]);
  });

  test('has several, if it still refuses some of the same then', () => {
    const failures = brokenAfter(0.5, ({ kind, holding }) => kind === 'GLOBAL' && holding === 'all');
    expect(failures.length).toBeGreaterThan(1);
    expect(failures.filter(({ since }) => since !== undefined)).toEqual([]);
  });
});

describe('a cause that other requests bring about', () => {
  const seen = { influence: OTHER_REQUESTS } as Decision;
  const places = (count: number) =>
    Array.from({ length: count }, (_, at) => [{ aspect: 'holding' as const, value: `only:${at}` }]);
  const joined = (count: number, decisions: readonly Decision[]) => {
    const cause = {
      verdict: 'fail',
      attribution: { basis: 'stated' },
      scattered: 0,
      cases: [],
      example: undefined,
    } as const;
    return joinRemembered([
      { ...cause, requirements: ['one'], template: 'one', places: places(count), decisions: [] },
      { ...cause, requirements: ['two'], template: 'two', places: [], decisions },
    ]);
  };

  test('is one with what so many conditions describe that none does', () => {
    expect(joined(7, [seen])).toMatchObject([{ requirements: ['one', 'two'], places: [] }]);
    expect(joined(6, [seen])).toHaveLength(2);
    expect(joined(7, [])).toHaveLength(2);
  });

  test('is one with all that is accepted, if it lifts two refusals', () => {
    const lifted = ['token.expired', 'token.unknown'].map((requirement) => ({ ...seen, requirement }));
    const scopes = answering(
      ({ kind, scope, validity }) => kind === 'USER' && validity === 'valid' && scope === 'missing',
      accepted,
    );
    const remembered = (decisions: readonly Decision[]) =>
      joinRemembered([...scopes, ...scopes.map((one) => ({ ...one, template: 'two', cases: [], decisions }))]);
    expect(scopes).toHaveLength(1);
    expect(remembered(lifted)).toHaveLength(1);
    expect(remembered(lifted.slice(0, 1))).toHaveLength(2);
  });
});
