import { describe, expect, test } from 'vitest';
import { lackInWords, variableLack } from '../plan/case.ts';
import type { Plan } from '../plan/plan.ts';
import type { Decision } from '../record/exchange.ts';
import { decision } from '../testing/report.ts';
import { answer, contract, plannedCase, planWith } from '../testing/small-world.ts';
import { decide, several } from '../testing/verdicts.ts';
import { type Finding, findingsOf } from './findings.ts';
import type { CaseVerdict } from './judge-cases.ts';
import { emptyTally, type Tally, tallyUp } from './tallies.ts';

const plan: Plan = { ...planWith(), undecidable: [] };
const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
const open = plannedCase(plan, 'search', 'USER', { 'act-as': 'existing' });

const verdict = (change: Partial<CaseVerdict>): CaseVerdict => ({
  case: expired,
  verdict: 'pass',
  satisfied: [],
  sent: 1,
  ...change,
});

interface Seen {
  readonly verdicts?: readonly CaseVerdict[];
  readonly findings?: readonly Finding[];
  readonly decisions?: readonly Decision[];
}
/** The tally of a requirement in the unit search/USER. */
function tally(
  requirement: string,
  { verdicts = [], findings = [], decisions = [] }: Seen,
  of = plan,
): Tally | undefined {
  return tallyUp({ contract, plan: of, verdicts, findings, decisions }).get(requirement)?.get('search/USER');
}
const NOTHING = { ...emptyTally(), masked: false };

describe('a case counts', () => {
  test('as decided for what it satisfies, and for nothing else', () => {
    const seen = { verdicts: [verdict({ satisfied: ['token.expired', 'message.auth-type'] })] };
    expect(tally('token.expired', seen)).toEqual({ ...NOTHING, decided: 1 });
    expect(tally('message.auth-type', seen)).toEqual({ ...NOTHING, decided: 1 });
    expect(tally('token.expired', { verdicts: [verdict({})] })).toEqual(NOTHING);
  });

  test('as observed for what the specification leaves open', () => {
    const seen = verdict({ case: open, verdict: 'observed' });
    expect(tally('act-as.not-needed', { verdicts: [seen, seen] })).toEqual({ ...NOTHING, observed: 2 });
  });

  test('as lost, with the reason, if it is inconclusive', () => {
    const lost = verdict({ verdict: 'inconclusive', reason: 'status 503' });
    expect(tally('token.expired', { verdicts: [lost] })).toEqual({ ...NOTHING, lost: new Set(['status 503']) });
    const without = verdict({ case: open, verdict: 'inconclusive' });
    expect(tally('act-as.not-needed', { verdicts: [without] })).toEqual({ ...NOTHING, lost: new Set(['not decided']) });
  });

  test('as lost for the form of its answer too', () => {
    const lost = { verdict: 'inconclusive', reason: 'status 503' } as const;
    const full = plannedCase(plan, 'search', 'USER');
    const accepted = { verdicts: [verdict({ ...lost, case: full })] };
    for (const id of ['search.success', 'search.response', 'response.content-type'])
      expect([id, tally(id, accepted)]).toEqual([id, { ...NOTHING, lost: new Set(['status 503']) }]);
    expect(tally('message.auth-type', accepted)).toBeUndefined();
    expect(tally('message.auth-type', { verdicts: [verdict(lost)] })?.lost.size).toBe(1);
    expect(tally('search.response', { verdicts: [verdict({ ...lost, case: open })] })).toBeUndefined();
  });

  test('as lost beside another fault if its refusal might have been about that one', () => {
    const both = plannedCase(plan, 'search', 'USER', { validity: 'expired', holding: 'none' });
    const lost = verdict({ verdict: 'inconclusive', reason: 'status 503', case: both });
    for (const id of ['token.expired', 'scope.search'])
      expect(tally(id, { verdicts: [lost] })).toEqual({ ...NOTHING, lostBeside: new Set(['status 503']) });
  });

  test('as lost beside another fault if what the specification leaves open might explain its refusal', () => {
    const both = plannedCase(plan, 'search', 'USER', { validity: 'expired', 'act-as': 'existing' });
    const lost = { verdicts: [verdict({ verdict: 'inconclusive', reason: 'status 503', case: both })] };
    expect(tally('token.expired', lost)).toEqual({ ...NOTHING, lostBeside: new Set(['status 503']) });
    expect(tally('act-as.not-needed', lost)).toEqual({ ...NOTHING, lost: new Set(['status 503']) });
  });

  test('as masked if it fails or warns', () => {
    for (const wrong of ['fail', 'warn'] as const) {
      const verdicts = [verdict({ verdict: wrong }), verdict({})];
      expect(tally('token.expired', { verdicts })).toEqual({ ...NOTHING, masked: true });
    }
  });

  test('as lost for a body that was not read to its end', () => {
    const seen = { verdicts: [verdict({ unread: ['search.response'] })] };
    expect(tally('search.response', seen)).toEqual({
      ...NOTHING,
      lost: new Set(['the body is too long or too slow to be read to its end']),
    });
  });
});

test('a finding decides its requirements in the unit of each of its cases, unless it is inconclusive', () => {
  const wrong = decide(several(expired, answer(404), answer(404)), true);
  const findings = findingsOf(contract, [wrong], [], true);
  expect(tally('token.expired', { findings })).toEqual({ ...NOTHING, decided: 1 });
  const inconclusive = findings.map((found) => ({ ...found, verdict: 'inconclusive' as const }));
  expect(tally('token.expired', { findings: inconclusive })).toBeUndefined();
});

test('a finding about a list that no answer showed decides nothing, because every answer may have left it out as empty', () => {
  const search = plannedCase(plan, 'search', 'USER');
  const without = answer(200, '{"trackingToken":"t","requestId":"r"}');
  const findings = findingsOf(contract, [decide(several(search, without, without), true)], [], true);
  const { decided, lost } = tally('search.response', { findings }) ?? NOTHING;
  expect([decided, ...lost]).toEqual([0, expect.stringMatching(/^no answer of this run showed results: set /)]);
});

test('a person who did not find their own document leaves a grave requirement open, unless a check found it broken', () => {
  const unseen = {
    ...decision('inconclusive', 'nothing found'),
    requirement: 'search.page-size',
    unseen: true as const,
  };
  const elsewhere = { ...unseen, operation: 'chat' };
  for (const [found, expected] of [['pass', ['nothing found']] as const, ['fail', []] as const]) {
    const { decided, unseen: open } =
      tally('user.isolation', { decisions: [decision(found), unseen, elsewhere] }) ?? NOTHING;
    expect([decided, [...open]]).toEqual([1, expected]);
  }
});

test('a case that cannot be sent for want of a variable names the variable', () => {
  const lacking = planWith({ USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined });
  const missing = new Map([['USER_TOKEN_EXPIRED', variableLack('USER_TOKEN_EXPIRED')]]);
  expect(tally('token.expired', {}, lacking)).toEqual({ ...NOTHING, missing });
  const unclaimed = planWith({ CONFORMANCE_CLAIMS: 'okta' });
  expect(tally('token.expired', {}, unclaimed)).toBeUndefined();
});

test.each<[Decision['verdict'], Partial<Tally>]>([
  ['pass', { decided: 1 }],
  ['fail', { decided: 1 }],
  ['warn', { decided: 1 }],
  ['observed', { observed: 1 }],
  ['inconclusive', { lost: new Set(['what came']) }],
  ['not-testable', { missing: new Map([['what came', lackInWords('what came')]]) }],
])('the decision %s of a check counts', (found, counted) => {
  expect(tally('user.isolation', { decisions: [decision(found, 'what came')] })).toEqual({ ...NOTHING, ...counted });
});

test('a check that lacks a variable names it', () => {
  const lacking = { ...decision('not-testable', 'a marker'), variable: 'USER_PRIVATE_MARKER' };
  const missing = new Map([['a marker', variableLack('USER_PRIVATE_MARKER')]]);
  expect(tally('user.isolation', { decisions: [lacking] })).toEqual({ ...NOTHING, missing });
});
