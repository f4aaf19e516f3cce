import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import { decision, expiredUser, reportOf, type Scenario } from '../testing/report.ts';
import { answer, reset } from '../testing/small-world.ts';
import type { Baseline, BaselineEntry } from './baseline.ts';

const entry = (named: Pick<BaselineEntry, 'requirement' | 'cases'>, review = '2030-01-01'): BaselineEntry => ({
  ...named,
  reason: 'the gateway answers before the service',
  review,
});
const listing = (deviations: readonly BaselineEntry[], gaps: readonly BaselineEntry[] = []): Baseline => ({
  deviations,
  gaps,
  today: '2026-11-21',
});
const wrong = (sees: (values: Values) => boolean): Scenario => ({
  instead: (values) => (sees(values) ? answer(404) : undefined),
});
const broken = wrong(expiredUser);
const unwise: Scenario = { instead: ({ body }) => (body === 'valid' ? undefined : answer(500)) };
const lacking: Scenario = { changes: { USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined } };
const REQUIREMENT = entry({ requirement: 'token.expired' });
const GLOB = entry({ cases: '*/USER/expired/**' });

describe('a run held against a baseline ends', () => {
  test.each<[string, Scenario, Baseline, string, number]>([
    ['conforming, when it lists nothing', {}, listing([]), 'conforms', 0],
    [
      'conforming with exceptions, when a requirement that fails is listed',
      broken,
      listing([REQUIREMENT]),
      'conforms-except',
      0,
    ],
    ['conforming with exceptions, when a glob lists every failing case', broken, listing([GLOB]), 'conforms-except', 0],
    [
      'deviating, when a glob lists only some of them',
      broken,
      listing([entry({ cases: 'search/USER/expired/**' })]),
      'deviates',
      1,
    ],
    [
      'conforming with exceptions, when two entries list them together',
      broken,
      listing(['search', 'chat'].map((id) => entry({ cases: `${id}/USER/expired/**` }))),
      'conforms-except',
      0,
    ],
    [
      'deviating, when another requirement is listed',
      broken,
      listing([entry({ requirement: 'token.unknown' })]),
      'deviates',
      1,
    ],
    ['deviating, when it is listed as a gap', broken, listing([], [REQUIREMENT]), 'deviates', 1],
    [
      'deviating, when something else fails too',
      wrong((v) => expiredUser(v) || v.kind === 'unknown'),
      listing([REQUIREMENT]),
      'deviates',
      1,
    ],
    [
      'inconclusive, when something is lost beside what is listed',
      { instead: (v) => (expiredUser(v) ? answer(404) : v.validity === 'foreign' ? reset : undefined) },
      listing([REQUIREMENT]),
      'inconclusive',
      3,
    ],
    [
      'conforming with exceptions, when a finding of a check is listed',
      { decisions: [decision('fail')] },
      listing([entry({ cases: 'isolation' })]),
      'conforms-except',
      0,
    ],
    [
      'conforming with exceptions, when it is listed where it was found',
      { decisions: [decision('fail')] },
      listing([entry({ cases: 'isolation/search/USER' })]),
      'conforms-except',
      0,
    ],
    [
      'deviating, when it is listed elsewhere',
      { decisions: [decision('fail')] },
      listing([entry({ cases: 'isolation/chat/*' })]),
      'deviates',
      1,
    ],
    ['incomplete, when a gap is not listed', lacking, listing([]), 'incomplete', 4],
    [
      'conforming with exceptions, when a gap is listed by its cases',
      lacking,
      listing([], [GLOB]),
      'conforms-except',
      0,
    ],
    [
      'incomplete, when only some cases of a gap are listed',
      lacking,
      listing([], [entry({ cases: 'search/USER/expired/**' })]),
      'incomplete',
      4,
    ],
    [
      'incomplete, when only some cases of each unit are listed',
      lacking,
      listing([], [entry({ cases: '*/USER/expired/all/act-as:absent/auth-type:absent' })]),
      'incomplete',
      4,
    ],
    ['incomplete, when a gap is listed as a deviation', lacking, listing([GLOB]), 'incomplete', 4],
    [
      'incomplete, when one of several requirements is listed',
      { decisions: [decision('not-testable'), decision('not-testable', 'X')], ...lacking },
      listing([], [GLOB]),
      'incomplete',
      4,
    ],
    [
      'conforming with exceptions, when the gap of a check is listed',
      { decisions: [decision('not-testable')] },
      listing([], [entry({ requirement: 'user.isolation' })]),
      'conforms-except',
      0,
    ],
    [
      'conforming with exceptions, when an entry is overdue',
      broken,
      listing([entry({ requirement: 'token.expired' }, '2026-11-20')]),
      'conforms-except',
      0,
    ],
    [
      'conforming, when what is listed is only recommended',
      unwise,
      listing([entry({ requirement: 'search.request' })]),
      'conforms',
      0,
    ],
  ])('%s', async (_how, scenario, baseline, ...[ending, exitCode]) => {
    const report = await reportOf({ ...scenario, baseline });
    expect([report.ending, report.exitCode]).toEqual([ending, exitCode]);
  });

  test('in a line that counts the entries in use', async () => {
    const baseline = listing([REQUIREMENT, GLOB, entry({ requirement: 'token.unknown' })]);
    expect((await reportOf({ ...broken, baseline })).line).toMatch(/^conforms except 2 listed: user global oauth/);
    const other = wrong((values) => expiredUser(values) || values.kind === 'unknown');
    expect((await reportOf({ ...other, baseline: listing([GLOB]) })).line).toBe('deviates, beyond 1 listed');
  });

  test('with the same verdicts as without: a baseline decides the ending alone', async () => {
    const [held, free] = [await reportOf({ ...broken, baseline: listing([REQUIREMENT]) }), await reportOf(broken)];
    const verdicts = ({ requirements, cases }: typeof held) =>
      [requirements, cases].map((list) => list.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts(held)).toEqual(verdicts(free));
  });
});

describe('an entry of a baseline', () => {
  const standing = async (scenario: Scenario, baseline: Baseline) =>
    (await reportOf({ ...scenario, baseline })).baseline?.entries.map((found) => [
      found.standing,
      found.overdue,
      found.covers > 0,
    ]);

  test.each<[string, Scenario, Baseline, [string, boolean, boolean]]>([
    ['occurs', broken, listing([REQUIREMENT]), ['occurs', false, true]],
    ['no longer occurs', {}, listing([REQUIREMENT]), ['no longer occurs', false, false]],
    ['no longer occurs as a gap', {}, listing([], [GLOB]), ['no longer occurs', false, false]],
    [
      'no longer occurs as a gap of what others decide',
      lacking,
      listing([], [entry({ requirement: 'scope.search' })]),
      ['no longer occurs', false, false],
    ],
    [
      'no longer occurs as a gap of cases that nothing rests on',
      { changes: { USER_TOKEN_EXPIRED: undefined } },
      listing([], [GLOB]),
      ['no longer occurs', false, false],
    ],
    [
      'lists no case that is blamed on another of its faults',
      broken,
      listing([entry({ requirement: 'scope.search' })]),
      ['no longer occurs', false, false],
    ],
    [
      'is overdue the day after its review',
      broken,
      listing([entry({ requirement: 'token.expired' }, '2026-11-20')]),
      ['occurs', true, true],
    ],
    [
      'is not overdue on the day',
      broken,
      listing([entry({ requirement: 'token.expired' }, '2026-11-21')]),
      ['occurs', false, true],
    ],
    [
      'cannot be told when its cases were lost',
      { instead: (v) => (expiredUser(v) ? reset : undefined) },
      listing([GLOB]),
      ['undecided', false, false],
    ],
    ['cannot be told when its cases lack a token', lacking, listing([GLOB]), ['undecided', false, false]],
    [
      'matches nothing that the claims leave',
      { changes: { CONFORMANCE_CLAIMS: 'oauth' } },
      listing([GLOB]),
      ['matches nothing', false, false],
    ],
    [
      'occurs where a recommendation is missed, and lists nothing',
      unwise,
      listing([entry({ requirement: 'search.request' })]),
      ['occurs', false, false],
    ],
  ])('%s', async (_what, scenario, baseline, wanted) => {
    expect(await standing(scenario, baseline)).toEqual([wanted]);
  });

  test('is named by the case that it lists, the first of several', async () => {
    const { cases } = await reportOf({ ...broken, baseline: listing([entry({ cases: 'chat/USER/**' }), REQUIREMENT]) });
    const failing = cases.filter(({ verdict }) => verdict === 'fail');
    expect(new Set(failing.map(({ id, listed }) => `${id.split('/')[0]} ${listed}`))).toEqual(
      new Set(['chat 0', 'search 1']),
    );
    expect(cases.filter(({ listed, verdict }) => listed !== undefined && verdict !== 'fail')).toEqual([]);
  });
});
