import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadContract } from '../harness/contract/load-contract.ts';
import type { CaseVerdict } from '../harness/judge/judge-cases.ts';
import { expandOnce } from '../harness/plan/expand.ts';
import { forecastOf } from '../harness/preview/forecast.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { checks } from './checks/index.ts';
import { chooseTarget } from './choose-target.ts';

/** Longer lists of wrong answers are cut. */
const MOST_LINES = 20;
const contract = await loadContract();
const casesAt = expandOnce(contract);
const { settings, close } = await chooseTarget(catalogueOf(contract), casesAt);
const reportDir = settings.trusted ? mkdtempSync(join(tmpdir(), 'conformance-')) : settings.reportDir;
const { chatLimit } = await forecastOf(settings, { checks, casesAt, intrusive: settings.loopback });
const session = startSession({ ...settings, reportDir }, { checks, casesAt, chatLimit });

afterAll(async () => {
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
    if (wrong.length > 0) throw new Error(describeVerdicts(wrong));
  });
});

describe('the hand-written checks', () => {
  test.for(session.checks)('$title', async (check) => {
    const wrong = (await session.runCheck(check)).filter(
      ({ verdict }) => verdict === 'fail' || verdict === 'inconclusive',
    );
    const lines = wrong
      .slice(0, MOST_LINES)
      .map(({ requirement, kind, detail }) => `${requirement} ${kind}: ${detail}`);
    if (wrong.length > 0) throw new Error(lines.join('\n'));
  });
});

test('the run conforms, and every requirement of the ledger is decided or observed', () => {
  const { ending, requirements } = session.judge();
  // Only the reference service must follow every recommendation and claim everything.
  const admitted = settings.trusted ? ['pass', 'observed'] : ['pass', 'observed', 'warn', 'not-applicable'];
  const undecided = requirements
    .filter(({ verdict }) => !admitted.includes(verdict))
    .map(({ requirement, verdict }) => `${requirement.id}: ${verdict}`);
  expect({ ending, undecided }).toEqual({ ending: 'conforms', undecided: [] });
});

function describeVerdicts(wrong: readonly CaseVerdict[]): string {
  const lines = wrong
    .slice(0, MOST_LINES - 1)
    .map(({ case: { id }, miss, reason }) => `${id}: ${miss ? `wanted ${miss.wanted}, got ${miss.got}` : reason}`);
  return [...lines, ...(wrong.length > lines.length ? [`and ${wrong.length - lines.length} more`] : [])].join('\n');
}
