// The whole suite as vitest tests: a failure for each cause, by the id that the report gives it, and a test for each other
// requirement. Everything is sent before the tests begin, because a cause is known only when all answers are.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { visible } from '../harness/contract/visible-text.ts';
import { forecastOf } from '../harness/preview/rehearse.ts';
import { viewOf } from '../harness/render/finding-view.ts';
import { SHORT } from '../harness/render/step-lines.ts';
import { writeReports } from '../harness/render/write-reports.ts';
import type { ReportedUndecided } from '../harness/report/limits.ts';
import { makeReport, type Report, type ReportedFinding } from '../harness/report/report.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { casesAt, contract } from '../harness/testing/contract.ts';
import { chooseTarget } from './choose-target.ts';
import { checks } from './testing/checks.ts';
import { failWith } from './testing/fail-with.ts';

const { settings, transport, close } = await chooseTarget(catalogueOf(contract), casesAt);
const { trusted } = settings;
const reportDir = trusted ? mkdtempSync(join(tmpdir(), 'conformance-')) : settings.reportDir;
const { chatLimit } = await forecastOf(settings, { checks, casesAt, intrusive: settings.loopback });
const session = startSession(
  { ...settings, reportDir },
  { checks, casesAt, chatLimit, ...(transport && { transport }) },
);
const problem = await session.preflight();
if (!trusted) console.log(`testing ${settings.baseUrl} alone; the tests of the suite itself run without a target`);

afterAll(async () => {
  await session.close(false, problem === undefined);
  await close();
  if (trusted) rmSync(reportDir, { recursive: true, force: true });
});

// What a run does not send because nobody answers would be a failure for each requirement.
if (problem) test('the target can be tested', () => failWith(session.redactor.text(problem.line)));
else await testTarget();

async function testTarget(): Promise<void> {
  await session.sendAll();
  const judged = session.judge();
  const report = makeReport(session, judged);
  // A target of the operator gets the same reports as from `run`. The embedded service needs none.
  if (!trusted)
    console.log(
      writeReports(reportDir, report, (text) => console.log(text))
        .map((file) => `report  ${file}`)
        .join('\n'),
    );
  const masked = session.sender.exchanges.filter((exchange) => JSON.stringify(exchange).includes('<left out: '));
  const broken = report.findings.filter(isBroken);
  const blamed = new Set(broken.flatMap(({ requirements }) => requirements));
  describe(`at depth ${settings.depth}, with ${report.counts.requests} requests`, () => {
    // The reference shows no secret, so what is taken for one is a mistake of the redactor.
    if (trusted) test('every answer of the reference may be shown', () => expect(masked).toEqual([]));
    for (const finding of broken)
      test(`${finding.id} ${finding.requirements.join(', ')}: ${finding.where}`, () =>
        failWith(linesOf(finding, report)));
    for (const gap of report.undecided.filter(isOpen))
      test(`undecided: ${visible(gap.reason)}`, () =>
        failWith(`${gap.requirements.join(', ')}\non ${gap.units.join(', ')}`));
    for (const { id, verdict, undecided } of report.requirements)
      if (verdict === 'not-applicable' && !trusted) continue;
      else if (!blamed.has(id) && undecided.length === 0)
        test(`${id}: ${verdict}`, () => expect(verdict).not.toBe('not-applicable'));
  });
}

/** Only the reference service must follow every recommendation. */
function isBroken({ verdict }: ReportedFinding): boolean {
  return verdict === 'fail' || (trusted && verdict === 'warn');
}

/** Whether a gap keeps the run from conforming. */
function isOpen({ accepted, requirements }: ReportedUndecided): boolean {
  const obliges = (id: string) => trusted || contract.requirements.find((known) => known.id === id)?.level === 'must';
  return !accepted && requirements.some(obliges);
}

function linesOf(finding: ReportedFinding, report: Report): string {
  const { text, facts, curl, response } = viewOf(finding, report);
  return [
    text,
    ...facts.map(([name, value]) => `${name.padEnd(11)}  ${value}`),
    ...(curl === undefined ? [] : [`reproduce    ${curl}`]),
    ...response(SHORT).map((line, index) => `${index === 0 ? 'response   ' : '           '}  ${line}`),
  ]
    .map(visible)
    .join('\n');
}
