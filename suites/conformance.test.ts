import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { visible } from '../harness/contract/visible-text.ts';
import { forecastOf } from '../harness/preview/forecast.ts';
import { SHORT, stepLines } from '../harness/render/step-lines.ts';
import { writeReports } from '../harness/render/write-reports.ts';
import { makeReport } from '../harness/report/report.ts';
import { sightOf } from '../harness/report/sight.ts';
import { createStepLog, type ReportedStep, type StepLog } from '../harness/report/steps.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { casesAt, contract } from '../harness/testing/contract.ts';
import { checks } from './checks/index.ts';
import { chooseTarget } from './choose-target.ts';
import { describeDecision, describeVerdict } from './describe-verdict.ts';
import { failWith } from './testing/fail-with.ts';

/** Longer lists of wrong answers are cut. */
const MOST = 5;
const { settings, close } = await chooseTarget(catalogueOf(contract), casesAt);
const reportDir = settings.trusted ? mkdtempSync(join(tmpdir(), 'conformance-')) : settings.reportDir;
const { chatLimit } = await forecastOf(settings, { checks, casesAt, intrusive: settings.loopback });
const session = startSession({ ...settings, reportDir }, { checks, casesAt, chatLimit });

afterAll(async () => {
  // A target of the operator gets the same reports as from `run`. The embedded service needs none.
  const judged = session.judge();
  if (!settings.trusted)
    for (const file of writeReports(reportDir, makeReport(session, judged, sightOf(session, judged))))
      console.log(`report  ${file}`);
  await session.close();
  await close();
  if (settings.trusted) rmSync(reportDir, { recursive: true, force: true });
});

describe(`the matrix at depth ${settings.depth}`, () => {
  test('the target passes the preflight', async () => {
    expect((await session.preflight())?.line).toBeUndefined();
  });

  test.each(session.plan.groups.map((group) => [group.id, group] as const))('%s', async (_id, group) => {
    const wrong = (await session.runGroup(group)).filter(
      ({ verdict }) => verdict === 'fail' || verdict === 'inconclusive',
    );
    const [first] = wrong;
    if (first)
      failWith(
        [
          firstOf(wrong.map((verdict) => describeVerdict(session, verdict))),
          ...evidence((log) => log.ofCase(first)),
        ].join('\n'),
      );
  });
});

test('every wrong answer has a condition', async () => {
  await session.findConditions();
});

describe('the hand-written checks', () => {
  test.each(session.checks.map((check) => [check.title, check] as const))('%s', async (_title, check) => {
    const wrong = (await session.runCheck(check)).filter(
      ({ verdict }) => verdict === 'fail' || verdict === 'inconclusive',
    );
    const [first] = wrong;
    if (first) failWith([firstOf(wrong.map(describeDecision)), ...evidence((log) => log.ofDecision(first))].join('\n'));
  });
});

test('the run conforms, and every requirement of the ledger is decided or observed', () => {
  const { ending, requirements } = session.judge();
  // Only the reference service must follow every recommendation and claim everything.
  const admitted = settings.trusted ? ['pass', 'observed'] : ['pass', 'observed', 'warn', 'not-applicable'];
  const undecided = requirements
    .filter(({ verdict }) => !admitted.includes(verdict))
    .map(({ requirement, verdict }) => `  ${verdict}  ${requirement.id}: ${requirement.text}`);
  if (ending !== 'conforms' || undecided.length > 0)
    failWith([`the run ends as ${ending}; see ${reportDir}`, ...undecided].join('\n'));
});

/** The steps behind the first wrong answer, in lines. */
function evidence(stepsOf: (log: StepLog) => readonly ReportedStep[]): readonly string[] {
  const steps = stepsOf(createStepLog(session, session.sender.exchanges));
  return ['', ...steps.flatMap((step) => stepLines(step, SHORT)).map(visible)];
}

/** The first of many texts, and how many more there are. The report has all of them. */
function firstOf(texts: readonly string[]): string {
  const more = texts.length - MOST;
  return [...texts.slice(0, MOST), ...(more > 0 ? [`and ${more} more; see ${reportDir}`] : [])].join('\n\n');
}
