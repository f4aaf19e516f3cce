import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { makeStatement, statementJson } from '../statement/statement.ts';
import { renderStatement } from '../statement/statement-page.ts';
import { renderVerification } from '../statement/terminal-verification.ts';
import { check, checksOf, ended, handedOver, record, right } from '../testing/handed-over.ts';
import { decision, idleCheck, reportOf } from '../testing/report.ts';
import { githubSummary } from './github.ts';
import { renderJunit } from './junit.ts';
import { notTriedInWords } from './not-tried-words.ts';
import { renderHtml } from './page/page.ts';
import { renderEnd } from './terminal.ts';
import { reportJson } from './write-reports.ts';

const colors = pc.createColors(false);
const FILES = { 'journal.ndjson': 'a', 'report.json': 'b' };
const checks = [idleCheck('bursts', ['token.expired'], true), idleCheck('fuzz', ['token.unknown'], true)];
const report = await reportOf({ checks, decisions: [{ ...decision('pass'), inPart: true }] });
const statement = makeStatement(report, FILES);
/** Text whose characters may be written as references. */
const decoded = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('<b>not tried:</b> ', '');

describe('what was not tried', () => {
  test.each([
    ['the terminal', () => renderEnd(report, {}, colors)],
    ['the page', () => renderHtml(report)],
    ['JUnit', () => renderJunit(report)],
    ['the step summary', () => githubSummary(report)],
    ['the statement', () => renderStatement(statement)],
    ['verify', () => renderVerification(statement, { points: [] }, [], colors)],
  ])('is said in the same words by %s', (_where, render) => {
    const text = decoded(render());
    expect(text).toContain('2 checks not run (they need --intrusive): bursts, fuzz');
    expect(text).toContain('1 check run only in the most telling ways (the others need --intrusive): isolation');
    expect(text).toMatch(/bears on (token 2|token\.expired, token\.unknown)|requirement-token\.unknown/);
  });

  const inWords = (variables: number, others: number) => {
    const one = { what: 'optional', count: 2, checks: [], requirements: ['token.expired'] } as const;
    const words = notTriedInWords([
      ...Array.from({ length: variables }, (_, at) => ({ ...one, reason: `T${at}`, variable: `T${at}` })),
      ...Array.from({ length: others }, (_, at) => ({ ...one, reason: `TOKEN_COMMAND for T${at}` })),
    ]);
    return words.map(({ what }) => what);
  };

  test.each([
    [1, 1, '4 optional cases not sent (they need $T0, TOKEN_COMMAND for T0)'],
    [1, 8, '18 optional cases not sent (they need 1 unset variable and 8 tokens from TOKEN_COMMAND)'],
    [9, 0, '18 optional cases not sent (they need 9 unset variables)'],
    [0, 9, '18 optional cases not sent (they need 9 tokens from TOKEN_COMMAND)'],
  ])('counts %d variables apart from %d tokens that have none', (variables, others, words) => {
    expect(inWords(variables, others)).toEqual([words]);
  });

  test.each([{ reason: 'they need --intrusive' }, { reason: '--intrusive', variable: 'X' }])(
    'is one thing where it is one: %j',
    (lack) => {
      const one = { what: 'checks', count: 1, checks: ['bursts'], requirements: [], ...lack } as const;
      expect(notTriedInWords([one])[0]?.what).toMatch(/^1 check not run \(it needs \S+\): bursts$/);
    },
  );

  test.each([
    ['report.json', reportJson(report)],
    ['statement.json', statementJson(statement)],
  ])('is a value in %s', (_name, text) => {
    expect(JSON.parse(text).notTried).toEqual(report.notTried);
  });

  test('is a skipped test of JUnit for each reason, which the totals count', () => {
    const xml = renderJunit(report);
    const skipped = xml.match(/<testcase classname="not tried"[^>]*>\n {6}<skipped message="[^"]*"\/>/g) ?? [];
    expect(skipped.length).toBeGreaterThan(1);
    expect(xml).toContain(
      `<testsuite name="not tried" tests="${skipped.length}" failures="0" errors="0" skipped="${skipped.length}">`,
    );
    const tests = xml.match(/<testcase /g)?.length;
    expect(xml).toMatch(
      new RegExp(`<testsuites [^>]*tests="${tests}" failures="0" errors="0" skipped="${skipped.length}"`),
    );
  });

  test('is computed again from the journal by report, merge and verify', () => {
    const needIntrusive = { bursts: ['token.expired'] };
    const received = handedOver(ended({ ...record, needIntrusive }, ...right));
    expect(received.found.statement.notTried).toContainEqual(
      expect.objectContaining({ reason: 'they need --intrusive', checks: ['bursts'], requirements: ['token.expired'] }),
    );
  });

  test('cannot be taken out of a journal: verify knows the checks of the suite', () => {
    const intrusive = { id: 'bursts', requirements: ['token.expired'], intrusive: true };
    const problemsIn = (needIntrusive: Readonly<Record<string, readonly string[]>>) =>
      check(handedOver(ended({ ...record, needIntrusive }, ...right)), () => [...checksOf(), intrusive]).points.flatMap(
        ({ problems }) => problems,
      );
    expect(problemsIn({ bursts: ['token.expired'] })).toEqual([]);
    expect(problemsIn({})).toEqual(['journal.ndjson: line 1: the check bursts is missing']);
  });
});

describe('everything is decided', () => {
  const words = 'Everything that is claimed is decided';
  const outputs = async (decisions: Parameters<typeof reportOf>[0]) => {
    const found = await reportOf(decisions);
    return [renderEnd(found, {}, colors), renderHtml(found), renderStatement(makeStatement(found, FILES))];
  };

  test('only where every decision of every check is', async () => {
    for (const text of await outputs({ decisions: [decision('pass')] })) expect(text).toContain(words);
    const lost = { ...decision('inconclusive', 'no answer'), check: 'caches' };
    for (const text of await outputs({ decisions: [decision('pass'), lost] })) {
      expect(text).not.toContain(words);
      expect(text).toContain('Every requirement that is claimed is decided, but 1 decision of a check is not');
    }
  });
});
