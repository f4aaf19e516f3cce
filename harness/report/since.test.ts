import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { caseId } from '../plan/case.ts';
import { githubSummary } from '../render/github.ts';
import { renderHtml } from '../render/page/page.ts';
import { renderSince } from '../render/terminal-history.ts';
import { decision, expiredUser, reportOf, type Scenario } from '../testing/report.ts';
import { accepted, contract } from '../testing/small-world.ts';
import type { ComparedReport } from './decided-pairs.ts';
import { type HistoryRun, historyRun, sinceRun } from './history.ts';
import { changeInWords, earlierRun, sinceEarlier } from './since.ts';

const acceptsExpired: Scenario = { instead: (values) => (expiredUser(values) ? accepted : undefined) };
const noExpired = { USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined };
const ofExpired = [{ requirement: 'token.expired', units: ['chat/USER', 'search/USER'] }];

const compare = (earlier: ComparedReport, later: ComparedReport) => sinceEarlier(earlierRun(earlier), later);
const [good, bad] = [await reportOf(), await reportOf(acceptsExpired)];
const without = await reportOf({ changes: noExpired });

describe('since an earlier run', () => {
  test('nothing changed if both found the same', () => {
    const none = { rules: null, new: [], fixed: [], stillFailing: [], noLongerDecided: [], nowDecided: [] };
    expect(compare(good, good)).toEqual({ run: good.run, startedAt: good.startedAt, target: good.target, ...none });
  });

  test('a failure is new, still failing or fixed, by requirement, operation and kind of token', () => {
    expect(compare(good, bad)).toMatchObject({ new: ofExpired, fixed: [], stillFailing: [], noLongerDecided: [] });
    expect(compare(bad, bad)).toMatchObject({ new: [], fixed: [], stillFailing: ofExpired, noLongerDecided: [] });
    expect(compare(bad, good)).toMatchObject({ new: [], fixed: ofExpired, stillFailing: [], noLongerDecided: [] });
  });

  test('a further operation that fails is new beside the one that still fails', async () => {
    const onSearch = await reportOf({
      instead: (values) => (expiredUser(values) && values.operation === 'search' ? accepted : undefined),
    });
    expect(compare(onSearch, bad)).toMatchObject({
      new: [{ requirement: 'token.expired', units: ['chat/USER'] }],
      stillFailing: [{ requirement: 'token.expired', units: ['search/USER'] }],
    });
  });

  test('what lacks a token now is no longer decided, whether it failed or passed before', () => {
    expect(compare(good, without)).toMatchObject({ new: [], fixed: [], noLongerDecided: ofExpired });
    expect(compare(bad, without)).toMatchObject({ new: [], fixed: [], noLongerDecided: ofExpired });
  });

  test('what has its token now is decided for the first time, and a failure there is only new', () => {
    expect(compare(without, good)).toMatchObject({ new: [], fixed: [], nowDecided: ofExpired });
    expect(compare(without, bad)).toMatchObject({ new: ofExpired, nowDecided: [] });
    expect(compare(bad, good)).toMatchObject({ fixed: ofExpired, nowDecided: [] });
    expect(renderSince(compare(without, good), pc.createColors(false)).join('\n')).toMatch(
      /decided for the first time +token\.expired on chat\/USER, search\/USER/,
    );
  });

  test('what failed in a case that is left out now is not fixed, although other cases decide the requirement', async () => {
    const ofCore = new Set(good.cases.map(({ id }) => id));
    const instead: Scenario['instead'] = (values) =>
      expiredUser(values) && !ofCore.has(caseId(contract, values)) ? accepted : undefined;
    const deep = await reportOf({ depth: 'pairwise', instead });
    expect(compare(good, deep).new).toEqual(ofExpired);
    expect(compare(deep, good)).toMatchObject({ new: [], fixed: [], noLongerDecided: ofExpired });
    expect(compare(deep, await reportOf({ depth: 'pairwise' }))).toMatchObject({
      fixed: ofExpired,
      noLongerDecided: [],
    });
  });

  test('what a check found is not fixed by cases that pass', async () => {
    const found = { ...decision('fail'), requirement: 'token.expired' };
    const expired = [{ requirement: 'token.expired', units: ['search/USER'] }];
    const byCheck = await reportOf({ decisions: [found] });
    expect(compare(byCheck, good)).toMatchObject({ fixed: [], noLongerDecided: expired });
    const passes = await reportOf({ decisions: [{ ...found, verdict: 'pass' }] });
    expect(compare(byCheck, passes)).toMatchObject({ fixed: expired, noLongerDecided: [] });
  });

  test('what a check found is not fixed if the checks try less now, and what a case found is', async () => {
    const [found, passes] = [
      await reportOf({ ...acceptsExpired, decisions: [decision('fail')] }),
      await reportOf({ decisions: [decision('pass')] }),
    ];
    const isolation = [{ requirement: 'user.isolation', units: ['search/USER'] }];
    const [whole, telling] = [{ breadth: 'whole' } as const, { breadth: 'telling' } as const];
    expect(compare({ ...found, ...whole }, { ...passes, ...telling })).toMatchObject({
      fixed: ofExpired,
      noLongerDecided: isolation,
    });
    for (const [before, after] of [
      [whole, whole],
      [telling, telling],
      [telling, whole],
      [{ breadth: null }, telling],
    ])
      expect(compare({ ...found, ...before }, { ...passes, ...after }).noLongerDecided).toEqual([]);
  });

  test('what a check found is not fixed if it now decides only another requirement, or not in every way', async () => {
    const found = { ...decision('fail'), requirement: 'token.expired' };
    const expired = [{ requirement: 'token.expired', units: ['search/USER'] }];
    const byCheck = await reportOf({ decisions: [found] });
    const lost = { ...found, verdict: 'inconclusive' } as const;
    for (const decisions of [
      [decision('pass'), lost],
      [{ ...found, verdict: 'pass' } as const, lost],
    ])
      expect(compare(byCheck, await reportOf({ decisions }))).toMatchObject({ fixed: [], noLongerDecided: expired });
  });

  test('the failure of a check counts like that of a case', async () => {
    const leaks = await reportOf({ decisions: [decision('fail')] });
    const tight = await reportOf({ decisions: [decision('pass')] });
    const isolation = [{ requirement: 'user.isolation', units: ['search/USER'] }];
    expect(compare(tight, leaks).new).toEqual(isolation);
    expect(compare(leaks, tight).fixed).toEqual(isolation);
    const notRun = await reportOf({ decisions: [{ ...decision('inconclusive'), operation: 'any', kind: 'any' }] });
    expect(compare(tight, notRun).noLongerDecided).toEqual(isolation);
  });

  test('says that the rules differ, and that something new or fixed may come from that', () => {
    const ruled = (report: ComparedReport, contract: string) => ({ ...report, contract });
    const [fixed, added] = [compare(ruled(bad, 'before'), good), compare(ruled(good, 'before'), bad)];
    expect(fixed.rules).toEqual({
      before: `suite ${good.suite}, contract before`,
      now: `suite ${good.suite}, contract ${good.contract}`,
    });
    for (const [since, word] of [
      [fixed, 'fixed'],
      [added, 'new'],
    ] as const) {
      const report = { ...good, since };
      const outputs = [
        renderSince(since, pc.createColors(false)).join('\n'),
        renderHtml(report),
        githubSummary(report),
      ];
      for (const text of outputs) expect(text).toContain(`${word}, by other rules`);
      for (const text of outputs) expect(text).toContain('The rules differ');
    }
    expect(changeInWords(compare(ruled(bad, 'before'), bad), 'stillFailing')).toBe('still failing');
  });

  test('does not say so of the same rules, nor if nobody knows those of the earlier run', () => {
    const { rules: _rules, ...unknown } = earlierRun(bad);
    for (const since of [compare(bad, good), sinceEarlier(unknown, good)]) {
      expect(since.rules).toBeNull();
      expect(changeInWords(since, 'fixed')).toBe('fixed');
    }
  });
});

describe('two runs of a history', () => {
  test.each([
    ['nothing changed', good, good],
    ['something new fails', good, bad],
    ['something is fixed', bad, good],
    ['something still fails', bad, bad],
    ['something is no longer decided', bad, without],
    ['something is decided for the first time', without, good],
  ])('say the same as their reports where %s', (_what, before, now) => {
    expect(sinceRun(historyRun(before), historyRun(now))).toEqual(compare(before, now));
  });

  test.each<[string, Partial<HistoryRun>]>([
    ['at a lesser depth', { depth: 'core' }],
    ['in another part', { narrowed: '--only search/**' }],
    ['in the most telling ways only', { breadth: 'telling' }],
  ])('fix nothing if the later one tried %s', (_what, change) => {
    const deep = { depth: 'full', breadth: 'whole', narrowed: null } as const;
    const [before, now] = [
      { ...historyRun(bad), ...deep },
      { ...historyRun(good), ...deep },
    ];
    expect(sinceRun(before, now)).toMatchObject({ fixed: ofExpired, noLongerDecided: [] });
    expect(sinceRun(before, { ...now, ...change })).toMatchObject({ fixed: [], noLongerDecided: ofExpired });
  });

  test('say if their rules differ', () => {
    const older = { ...historyRun(good), suite: '0.0.9' };
    expect(sinceRun(older, historyRun(bad)).rules?.before).toMatch(/^suite 0\.0\.9, contract /);
  });
});
