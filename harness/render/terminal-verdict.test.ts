import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import { makeStatement } from '../statement/statement.ts';
import { renderStatement } from '../statement/statement-page.ts';
import { decision, reportOf, type Scenario } from '../testing/report.ts';
import { accepted } from '../testing/small-world.ts';
import { githubAnnotations } from './github.ts';
import { renderHtml } from './page/page.ts';
import { renderEnd } from './terminal.ts';

const FILES = { 'journal.ndjson': 'a', 'report.json': 'b' };
const colors = pc.createColors(false);
const printed = async (scenario: Scenario) => renderEnd(await reportOf(scenario), {}, colors);

describe('an inconclusive check is named with its reason', () => {
  const lost = { ...decision('inconclusive', 'the answer was not read to its end'), kind: 'GLOBAL' };

  test('beside the requirement that it leaves undecided', async () => {
    expect(await printed({ decisions: [lost] })).toContain(
      'inconclusive  the answer was not read to its end: user.isolation on search/GLOBAL (check isolation/search/GLOBAL)',
    );
  });

  test('also if another check decided its requirement', async () => {
    const decided: Decision = { ...decision('pass'), kind: 'GLOBAL', check: 'exposure' };
    const text = await printed({ decisions: [lost, decided] });
    expect(text).toContain('Every requirement that is claimed is decided, but 1 decision of a check is not');
    expect(text).toMatch(
      /Checks that decided nothing.*\n {2}inconclusive {2}the answer was not read to its end: isolation\/search\/GLOBAL\n/,
    );
  });

  test('in one line for each reason', async () => {
    const checks = ['a', 'b', 'c', 'd', 'e'].map((check) => ({ ...lost, check, operation: 'any', kind: 'any' }));
    expect(await printed({ decisions: checks })).toContain('(checks a, b, c and 2 more)');
    expect(await printed({})).not.toContain('decided nothing');
  });
});

test('each line that sends a cause again has the flags that the run had', async () => {
  const report = await reportOf({ decisions: [{ ...decision('fail'), steps: [1] }] });
  const end = { file: 'mine/report.html', flags: ' --contract tickets.yaml' };
  const lines = renderEnd(report, end, colors).match(/`[^`]* replay F1[^`]*`/g) ?? [];
  expect([lines.length, ...new Set(lines)]).toEqual([
    2,
    '`npx --no -- client-api-conformance replay F1 --report-dir mine --contract tickets.yaml`',
  ]);
});

test('a variable to set is told from a reason in capitals', async () => {
  const shouted: Decision = { ...decision('not-testable', 'NO_SUCH_THING') };
  const without = { USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined };
  const report = await reportOf({ decisions: [shouted], changes: without });
  const text = renderEnd(report, {}, colors);
  expect(text).toMatch(/set USER_TOKEN_EXPIRED +to decide token\.expired on/);
  expect(text).toMatch(/not testable +NO_SUCH_THING: user\.isolation on search\/USER/);
  const page = renderHtml(report);
  expect(page).toContain('set <code>USER_TOKEN_EXPIRED</code>');
  expect(page).toContain('undecided on <b>search/USER</b>');
  expect(page).not.toContain('set <code>NO_SUCH_THING</code>');
});

test('every output counts the same undecided requirements: what got no answer, and what lacks a variable', async () => {
  const report = await reportOf({
    decisions: [decision('inconclusive', 'the answer was not read to its end')],
    changes: { USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined },
  });
  expect(report.line).toContain(': 2 claimed requirements are undecided');
  expect(renderHtml(report)).toContain('2 requirements could not be decided.');
  expect(renderStatement(makeStatement(report, FILES))).toContain('2 requirements were not decided.');
});

test('a finding counts its cases and its checks apart', async () => {
  const expired = ({ validity, kind }: Values) => (validity === 'expired' && kind === 'USER' ? accepted : undefined);
  const found = { ...decision('fail'), requirement: 'token.expired' };
  const report = await reportOf({ instead: expired, decisions: [found, decision('fail')] });
  const own = report.cases.filter(({ verdict }) => verdict === 'fail').length;
  expect(own).toBeGreaterThan(1);
  expect(renderEnd(report, {}, colors)).toContain(`(${own} cases and 1 check)`);
  expect(githubAnnotations(report).join('\n')).toContain('(1 check)');
  const page = renderHtml(report);
  expect(page).toContain(`Show ${own} cases and 1 check</a>`);
  expect(page).toContain('Show 1 check</a>');
});
