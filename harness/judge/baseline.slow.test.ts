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
const answering404 = (where: (values: Values) => boolean): Scenario => ({
  instead: (values) => (where(values) ? answer(404) : undefined),
});
const broken = answering404(expiredUser);
const warning: Scenario = { instead: ({ body }) => (body === 'valid' ? undefined : answer(500)) };
const withoutToken: Scenario = { changes: { USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined } };
const REQUIREMENT = entry({ requirement: 'token.expired' });
const GLOB = entry({ cases: '*/USER/expired/**' });

describe('a run with a baseline', () => {
  test.each<[string, Scenario, Baseline, string, number]>([
    ['conforms if the baseline is empty', {}, listing([]), 'conforms', 0],
    [
      'conforms with exceptions if the failing requirement is listed',
      broken,
      listing([REQUIREMENT]),
      'conforms-except',
      0,
    ],
    ['conforms with exceptions if a glob lists every failing case', broken, listing([GLOB]), 'conforms-except', 0],
    [
      'deviates if a glob lists only some of the failing cases',
      broken,
      listing([entry({ cases: 'search/USER/expired/**' })]),
      'deviates',
      1,
    ],
    [
      'conforms with exceptions if two entries together list every failing case',
      broken,
      listing(['search', 'chat'].map((id) => entry({ cases: `${id}/USER/expired/**` }))),
      'conforms-except',
      0,
    ],
    [
      'deviates if another requirement is listed',
      broken,
      listing([entry({ requirement: 'token.unknown' })]),
      'deviates',
      1,
    ],
    ['deviates if the failing requirement is listed as a gap', broken, listing([], [REQUIREMENT]), 'deviates', 1],
    [
      'deviates if something else fails too',
      answering404((v) => expiredUser(v) || v.kind === 'unknown'),
      listing([REQUIREMENT]),
      'deviates',
      1,
    ],
    [
      'is inconclusive if other cases get no answer',
      { instead: (v) => (expiredUser(v) ? answer(404) : v.validity === 'foreign' ? reset : undefined) },
      listing([REQUIREMENT]),
      'inconclusive',
      3,
    ],
    [
      'conforms with exceptions if the failing check is listed',
      { decisions: [decision('fail')] },
      listing([entry({ cases: 'isolation' })]),
      'conforms-except',
      0,
    ],
    [
      'conforms with exceptions if the failing check is listed with its unit',
      { decisions: [decision('fail')] },
      listing([entry({ cases: 'isolation/search/USER' })]),
      'conforms-except',
      0,
    ],
    [
      'deviates if the failing check is listed with another unit',
      { decisions: [decision('fail')] },
      listing([entry({ cases: 'isolation/chat/*' })]),
      'deviates',
      1,
    ],
    ['is incomplete if a gap is not listed', withoutToken, listing([]), 'incomplete', 4],
    [
      'conforms with exceptions if a glob lists every case of a gap',
      withoutToken,
      listing([], [GLOB]),
      'conforms-except',
      0,
    ],
    [
      'is incomplete if only one operation of a gap is listed',
      withoutToken,
      listing([], [entry({ cases: 'search/USER/expired/**' })]),
      'incomplete',
      4,
    ],
    [
      'is incomplete if only some cases of each unit are listed',
      withoutToken,
      listing([], [entry({ cases: '*/USER/expired/all/act-as:absent/auth-type:absent' })]),
      'incomplete',
      4,
    ],
    ['is incomplete if a gap is listed as a deviation', withoutToken, listing([GLOB]), 'incomplete', 4],
    [
      'is incomplete if one of several requirements is listed',
      { decisions: [decision('not-testable'), decision('not-testable', 'X')], ...withoutToken },
      listing([], [GLOB]),
      'incomplete',
      4,
    ],
    [
      'conforms with exceptions if the gap of a check is listed',
      { decisions: [decision('not-testable')] },
      listing([], [entry({ requirement: 'user.isolation' })]),
      'conforms-except',
      0,
    ],
    [
      'conforms with exceptions if an entry is overdue',
      broken,
      listing([entry({ requirement: 'token.expired' }, '2026-11-20')]),
      'conforms-except',
      0,
    ],
    [
      'conforms if the listed requirement is only a recommendation',
      warning,
      listing([entry({ requirement: 'search.request' })]),
      'conforms',
      0,
    ],
  ])('%s', async (_what, scenario, baseline, ...[ending, exitCode]) => {
    const report = await reportOf({ ...scenario, baseline });
    expect([report.ending, report.exitCode]).toEqual([ending, exitCode]);
  });

  test('ends with a line that counts the entries in use', async () => {
    const baseline = listing([REQUIREMENT, GLOB, entry({ requirement: 'token.unknown' })]);
    expect((await reportOf({ ...broken, baseline })).line).toMatch(/^conforms except 2 listed: user global oauth/);
    const other = answering404((values) => expiredUser(values) || values.kind === 'unknown');
    expect((await reportOf({ ...other, baseline: listing([GLOB]) })).line).toBe('deviates, beyond 1 listed');
  });

  test('has the same verdicts as without one, because a baseline only changes the ending', async () => {
    const withBaseline = await reportOf({ ...broken, baseline: listing([REQUIREMENT]) });
    const verdicts = ({ requirements, cases }: typeof withBaseline) =>
      [requirements, cases].map((list) => list.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts(withBaseline)).toEqual(verdicts(await reportOf(broken)));
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
    ['occurs if the requirement fails', broken, listing([REQUIREMENT]), ['occurs', false, true]],
    ['no longer occurs if the requirement passes', {}, listing([REQUIREMENT]), ['no longer occurs', false, false]],
    ['no longer occurs if the gap is closed', {}, listing([], [GLOB]), ['no longer occurs', false, false]],
    [
      'no longer occurs if other cases decide the requirement',
      withoutToken,
      listing([], [entry({ requirement: 'scope.search' })]),
      ['no longer occurs', false, false],
    ],
    [
      'no longer occurs if no requirement needs the untestable cases',
      { changes: { USER_TOKEN_EXPIRED: undefined } },
      listing([], [GLOB]),
      ['no longer occurs', false, false],
    ],
    [
      'does not list a case whose other fault is blamed',
      broken,
      listing([entry({ requirement: 'scope.search' })]),
      ['no longer occurs', false, false],
    ],
    [
      'is overdue on the day after its review',
      broken,
      listing([entry({ requirement: 'token.expired' }, '2026-11-20')]),
      ['occurs', true, true],
    ],
    [
      'is not overdue on the day of its review',
      broken,
      listing([entry({ requirement: 'token.expired' }, '2026-11-21')]),
      ['occurs', false, true],
    ],
    [
      'is undecided if its cases get no answer',
      { instead: (v) => (expiredUser(v) ? reset : undefined) },
      listing([GLOB]),
      ['undecided', false, false],
    ],
    ['is undecided if its cases lack a token', withoutToken, listing([GLOB]), ['undecided', false, false]],
    [
      'matches nothing if its kind is not claimed',
      { changes: { CONFORMANCE_CLAIMS: 'oauth' } },
      listing([GLOB]),
      ['matches nothing', false, false],
    ],
    [
      'occurs if a recommendation is missed, and lists no case',
      warning,
      listing([entry({ requirement: 'search.request' })]),
      ['occurs', false, false],
    ],
  ])('%s', async (_what, scenario, baseline, wanted) => {
    expect(await standing(scenario, baseline)).toEqual([wanted]);
  });

  test('is referenced by the cases that it lists; the first of several entries wins', async () => {
    const { cases } = await reportOf({ ...broken, baseline: listing([entry({ cases: 'chat/USER/**' }), REQUIREMENT]) });
    const failing = cases.filter(({ verdict }) => verdict === 'fail');
    expect(new Set(failing.map(({ id, listed }) => `${id.split('/')[0]} ${listed}`))).toEqual(
      new Set(['chat 0', 'search 1']),
    );
    expect(cases.filter(({ listed, verdict }) => listed !== undefined && verdict !== 'fail')).toEqual([]);
  });
});
