import { describe, expect, test } from 'vitest';
import { judgeRun } from '../judge/judge-run.ts';
import { noJournal } from '../record/journal.ts';
import { startSession } from '../run/start-session.ts';
import { decision, reportOf } from '../testing/report.ts';
import { answer, casesAt, contract, settingsWith } from '../testing/small-world.ts';
import type { ReportedFinding } from './findings.ts';
import { againOf, againOfCheck, replayedIn } from './replayed.ts';

const CHECKS = ['isolation', 'paging'];
const findingOf = (findings: readonly ReportedFinding[], id: string) =>
  findings.find(({ requirements }) => requirements.includes(id));

describe('what a replay of a finding sends', () => {
  test('is its example first, at most ten cases, and the checks that found it', async () => {
    const { findings } = await reportOf({
      depth: 'pairwise',
      instead: ({ family }) => (family === 'none' ? answer(500) : undefined),
      decisions: [decision('fail')],
    });
    const [big, leak] = ['authorization.required', 'user.isolation'].map((id) => findingOf(findings, id));
    if (!big || !leak) throw new Error('a finding is missing');
    expect(big.cases.length).toBeGreaterThan(10);
    const again = againOf(big, CHECKS);
    expect(again.cases).toHaveLength(10);
    expect(again.cases[0]).toBe(big.example);
    const [step] = leak.steps;
    const read = { ...leak, steps: ['check:paging', again.cases[1] ?? ''].map((sentBy) => ({ ...step, sentBy })) };
    expect(againOf(read as typeof leak, CHECKS).beside).toEqual(['paging', again.cases[1]]);
    const ofCheck = againOf(leak, CHECKS);
    expect(ofCheck.beside).toEqual([]);
    expect([ofCheck.cases, ofCheck.checks]).toEqual([[], ['isolation']]);
    expect(ofCheck.counts(decision('pass'))).toBe(true);
    expect(ofCheck.counts({ ...decision('fail'), kind: 'GLOBAL' })).toBe(false);
    expect(ofCheck.counts({ ...decision('fail'), requirement: 'act-as.effective' })).toBe(false);
  });
});

test.each([
  ['isolation', 'isolation', true],
  ['isolation/search/USER', 'isolation', true],
  ['isolation/chat/USER', 'isolation', false],
])('a replay of the check %s counts the decision for search and USER: %s, %s', (id, check, counts) => {
  const again = againOfCheck(id, CHECKS);
  expect([again?.checks, again?.counts(decision('fail'))]).toEqual([[check], counts]);
});

test('a replay of anything else is none of a check', () => {
  expect(againOfCheck('search/USER/valid/all/act-as:absent/auth-type:absent', CHECKS)).toBeUndefined();
});

test('what a check decides several times for one operation and kind is replayed once, with its worst verdict', async () => {
  const session = startSession(settingsWith({}), { journal: noJournal, casesAt });
  const { plan } = session;
  const decisions = [decision('pass'), decision('fail'), decision('inconclusive')];
  const given = { exchanges: [], unsent: new Map(), trusted: false, narrowed: false, baseline: undefined };
  const judged = judgeRun({ contract, plan, decisions, ...given });
  const replayed = replayedIn(session, judged, { cases: [], checks: [], beside: [], counts: () => true });
  await session.close();
  expect(replayed.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['isolation/search/USER user.isolation', 'still fails'],
  ]);
});
