import { describe, expect, test } from 'vitest';
import { LAWS, VARIATION_KINDS } from '../contract/variations.ts';
import { WHOLE } from '../plan/narrowing.ts';
import type { Decision } from '../record/exchange.ts';
import { decision, idleCheck, reportOf } from '../testing/report.ts';
import { read } from '../testing/small-contract.ts';
import { caseOf, contract } from '../testing/small-world.ts';
import { placesOf } from './limits.ts';
import { type NotTried, variedIn } from './not-tried.ts';

const checks = [
  idleCheck('isolation', ['user.isolation']),
  idleCheck('bursts', ['token.expired', 'act-as.effective'], true),
  idleCheck('fuzz', ['token.unknown'], true),
];
const of = (list: readonly NotTried[], what: NotTried['what']) => list.filter((one) => one.what === what);
const unfinished = (detail: string): Decision => ({
  ...decision('inconclusive', detail),
  operation: 'any',
  kind: 'any',
});

describe('what a run did not try', () => {
  test('names the checks that need --intrusive, with the requirements that they bear on, the gravest first', async () => {
    const { notTried } = await reportOf({ checks });
    expect(of(notTried, 'checks')).toEqual([
      {
        what: 'checks',
        reason: 'they need --intrusive',
        count: 2,
        checks: ['bursts', 'fuzz'],
        requirements: ['act-as.effective', 'token.expired', 'token.unknown'],
      },
    ]);
  });

  test('leaves out requirements that no claim brings with it', async () => {
    const { notTried } = await reportOf({ checks, changes: { CONFORMANCE_CLAIMS: 'user' } });
    expect(of(notTried, 'checks')[0]?.requirements).toEqual(['token.expired', 'token.unknown']);
  });

  test('names the checks that tried only their most telling ways', async () => {
    const { notTried } = await reportOf({ checks, decisions: [{ ...decision('pass'), inPart: true }] });
    expect(of(notTried, 'ways')).toMatchObject([{ count: 1, checks: ['isolation'], requirements: ['user.isolation'] }]);
  });

  test('names the checks that the end of a run cut short, begun or not, once', async () => {
    const spent = ['not run: the budget is spent', 'stopped early: the budget is spent'].map(unfinished);
    const { notTried } = await reportOf({ checks, decisions: spent });
    expect(of(notTried, 'unfinished')).toMatchObject([{ reason: 'the budget is spent', checks: ['isolation'] }]);
  });

  test('names a check for which no answer had what it needs', async () => {
    const detail = 'no answer has the id of its conversation';
    const { notTried } = await reportOf({ checks, decisions: [{ ...decision('observed', detail), untried: true }] });
    expect(of(notTried, 'untried')).toMatchObject([{ reason: detail, count: 1, requirements: ['user.isolation'] }]);
  });

  test('names a check that needs a variable, unless it decided something without it', async () => {
    const lacking: Decision = { ...decision('not-testable'), variable: 'USER_PRIVATE_MARKER' };
    const { notTried } = await reportOf({ decisions: [lacking] });
    expect(of(notTried, 'checks')).toMatchObject([{ variable: 'USER_PRIVATE_MARKER', checks: ['isolation'] }]);
    const elsewhere = await reportOf({ decisions: [lacking, { ...decision('pass'), kind: 'GLOBAL' }] });
    expect(of(elsewhere.notTried, 'checks')).toEqual([]);
  });

  test('names what narrowed the run', async () => {
    const { notTried } = await reportOf({ checks, narrowing: { ...WHOLE, only: ['search/**'] } });
    expect(notTried).toContainEqual(
      expect.objectContaining({ reason: 'left out by --only search/**', checks: ['isolation'] }),
    );
  });

  test('counts the cases that were not sent, and those that need an optional token', async () => {
    const { id } = caseOf('search', 'USER', { validity: 'expired' });
    const { notTried } = await reportOf({
      changes: { USER_TOKEN_FUTURE_EXPIRY: undefined },
      unsent: new Map([[id, 'not sent: the budget is spent']]),
    });
    expect(of(notTried, 'cases')).toMatchObject([
      { reason: 'the budget is spent', count: 1, checks: [], requirements: ['token.expired'] },
    ]);
    const future = of(notTried, 'optional').find(({ variable }) => variable === 'USER_TOKEN_FUTURE_EXPIRY');
    expect(future?.requirements).toContain('token.unexpired');
  });
});

describe('the places of a requirement', () => {
  const placesIn = async (id: string, scenario = {}) =>
    (await reportOf(scenario)).requirements.find((found) => found.id === id)?.places;

  test('are the operations and kinds that its rules name', async () => {
    expect(await placesIn('token.expired')).toEqual({ decided: 14, of: 14 });
    expect(await placesIn('act-as.missing')).toEqual({ decided: 2, of: 2 });
  });

  test('count those whose optional token is not set, without making them undecided', async () => {
    const without = { USER_TOKEN_FUTURE_EXPIRY: undefined };
    const report = await reportOf({ changes: without });
    const unexpired = report.requirements.find(({ id }) => id === 'token.unexpired');
    expect(unexpired?.undecided).toEqual([]);
    expect(unexpired?.places.decided).toBe((unexpired?.places.of ?? 0) - 2);
  });

  test('are not those where a kind may not use the operation, but for that it may not', async () => {
    const operations =
      'operations: { list: { request: GET /list, needs: read }, all: { request: GET /all, by: BOSS } }';
    const small = await read({ operations, kinds: 'kinds: { KEY: { made: "Settings" }, BOSS: { made: "Settings" } }' });
    const places = (id: string) => {
      const requirement = small.requirements.find((one) => one.id === id);
      return requirement && placesOf(small, ['KEY', 'BOSS'], { requirement, units: new Map() }).of;
    };
    expect([places('kind.key'), places('kind.boss'), places('reach.all')]).toEqual([1, 2, 1]);
  });

  test('count each operation and kind of a requirement that only a check decides, in one of them', async () => {
    const decisions = [{ ...decision('pass'), requirement: 'search.page-size' }];
    expect(await placesIn('search.page-size', { decisions })).toEqual({ decided: 1, of: 7 });
  });
});

const facts = {
  contract,
  leftOut: { intrusive: [], narrowed: [] },
  narrowing: { only: [] },
  breadth: 'whole',
} as never;
const head = { id: 'influences', requirements: [] };
const having = (counts: object): Decision => ({
  ...{ type: 'decision', check: 'influences', requirement: 'token.expired', operation: 'search', kind: 'USER' },
  ...{ verdict: 'pass', detail: '', steps: [], varied: { law: 'refusal', counts } },
});
const { varied: _varied, ...undecided } = having({});
const lost: Decision = { ...undecided, verdict: 'inconclusive' };
const cookies = (given: object, decisions: readonly Decision[] = []) =>
  variedIn({ ...(facts as object), ...given } as never, decisions).find(
    ({ law, variation }) => law === 'refusal' && variation === 'cookie',
  );

describe('what was varied', () => {
  test('says with how many of the known variations a law was tried', () => {
    const known = cookies({})?.known ?? 0;
    expect(cookies({}, [having({ cookie: 3 })])).toMatchObject({ tried: 3, why: expect.stringMatching(/not set/) });
    expect(cookies({}, [having({ cookie: known })])).toMatchObject({ tried: known, why: null });
    // A cookie that the target sets is no row.
    expect(cookies({}, [having({ cookie: known + 1 })])).toMatchObject({ tried: known });
  });

  test.each([
    ['the run is telling', { breadth: 'telling' }, [having({ cookie: 3 })], 'the others need --intrusive'],
    ['the check needs --intrusive', { leftOut: { intrusive: [head], narrowed: [] } }, [], 'needs --intrusive'],
    [
      'the run is narrowed',
      { leftOut: { intrusive: [], narrowed: [head] }, narrowing: { ...WHOLE, only: ['isolation'] } },
      [],
      'left out by --only isolation',
    ],
    ['no answer came', {}, [lost], 'the check influences is undecided'],
    ['nothing came of it', {}, [], 'the check influences had nothing to try it with'],
  ])('says why not all were tried if %s', (_what, given, decisions, why) => {
    expect(cookies(given, decisions)?.why).toBe(why);
  });

  test('has a row for each law and kind, and a reason where no check tries it', () => {
    const all = variedIn(facts, []);
    expect(all).toHaveLength(LAWS.length * VARIATION_KINDS.length);
    expect(all.filter(({ why }) => why === null)).toEqual([]);
  });
});
