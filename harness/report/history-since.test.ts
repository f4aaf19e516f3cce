import { describe, expect, test } from 'vitest';
import { expiredUser, reportOf, type Scenario } from '../testing/report.ts';
import { accepted } from '../testing/small-world.ts';
import { type HistoryRun, historyRun, sinceRun } from './history.ts';
import { earlierRun, sinceEarlier } from './since.ts';

const acceptsExpired: Scenario = { instead: (values) => (expiredUser(values) ? accepted : undefined) };
const noExpired = { USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined };
const [good, bad] = [await reportOf(), await reportOf(acceptsExpired)];
const without = await reportOf({ changes: noExpired });
const ofExpired = [{ requirement: 'token.expired', units: ['chat/USER', 'search/USER'] }];

describe('two runs of a history', () => {
  test.each([
    ['nothing changed', good, good],
    ['something new fails', good, bad],
    ['something is fixed', bad, good],
    ['something still fails', bad, bad],
    ['something is no longer decided', bad, without],
    ['something is decided for the first time', without, good],
  ])('say the same as their reports where %s', (_what, before, now) => {
    expect(sinceRun(historyRun(before), historyRun(now))).toEqual(sinceEarlier(earlierRun(before), now));
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
