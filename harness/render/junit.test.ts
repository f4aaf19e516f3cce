import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import { BASELINE, decision, expiredUser, hostileReport, LEFT_CLIENTS, reportOf } from '../testing/report.ts';
import { answer, reset, SEARCH_BODY } from '../testing/small-world.ts';
import { renderJunit } from './junit.ts';

const testcase = (xml: string, classname: string, name: string) =>
  xml.split(`<testcase classname="${classname}" name="${name}"`)[1]?.split('<testcase')[0] ?? 'no such test case';
const expired = (xml: string) => testcase(xml, 'search.USER', 'token.expired');
const total = (xml: string, name: string) => Number(new RegExp(`<testsuites [^>]*${name}="(\\d+)"`).exec(xml)?.[1]);

describe('junit.xml', () => {
  test('has a suite per operation and a test case per group, and no failure when nothing deviates', async () => {
    const report = { ...(await reportOf()), left: [], notTried: [] };
    const xml = renderJunit(report);
    const groups = new Set(report.cases.map(({ group }) => group));
    expect(xml.match(/<testsuite /g)).toHaveLength(2);
    expect(xml.match(/<testcase /g)).toHaveLength(groups.size);
    expect([total(xml, 'failures'), total(xml, 'errors'), total(xml, 'skipped')]).toEqual([0, 0, 0]);
  });

  test('reports a fail as a failure with what was wanted, what came and a curl line', async () => {
    const xml = renderJunit(await reportOf({ instead: (values) => (expiredUser(values) ? answer(404) : undefined) }));
    expect(expired(xml)).toMatch(/<failure message="search\/USER\/expired[^"]* wanted 401[^"]*, got 404; stated"/);
    expect(expired(xml)).toContain('curl -sS -i');
    expect(total(xml, 'failures')).toBe(2);
  });

  test('says how many seconds each test, each operation and the whole run took', async () => {
    const report = await reportOf({ decisions: [decision('pass')] });
    const search = report.cases.filter(({ group }) => group === 'search/USER/token.expired').length;
    const cases = report.cases.map((found) => ({
      ...found,
      ms: 20,
      ...(found.group.startsWith('chat/') && { time: 50 }),
    }));
    const checks = report.checks.map((check) => ({ ...check, time: 1250 }));
    const xml = renderJunit({ ...report, cases, checks, durationMs: 61_005 });
    expect(xml).toMatch(/<testsuites [^>]*time="61.005"/);
    expect(expired(xml)).toMatch(new RegExp(`^ time="${(search * 0.02).toFixed(3)}"`));
    expect(testcase(xml, 'search.USER', 'check isolation: user.isolation')).toMatch(/^ time="1.250"/);
    const ofChat = report.cases.filter(({ group }) => group.startsWith('chat/')).length;
    expect(xml).toMatch(new RegExp(`<testsuite name="chat"[^>]* time="${(ofChat * 0.05).toFixed(3)}"`));
  });

  test('reports an inconclusive case as an error', async () => {
    const xml = renderJunit(await reportOf({ instead: (values) => (expiredUser(values) ? reset : undefined) }));
    expect(expired(xml)).toContain('<error message=');
    expect(total(xml, 'errors')).toBe(2);
  });

  test('skips a case that is not testable, with the missing variable, and one that is not claimed', async () => {
    const changes = { USER_TOKEN_EXPIRED: undefined, CONFORMANCE_CLAIMS: 'user' };
    const xml = renderJunit(await reportOf({ changes }));
    expect(expired(xml)).toMatch(/<skipped message="not-testable: [^"]*USER_TOKEN_EXPIRED"\/>/);
    expect(testcase(xml, 'search.GLOBAL', 'accepted')).toContain('GLOBAL is not claimed');
  });

  test('passes a warning and an observed case, and says so in system-out', async () => {
    const xml = renderJunit(
      await reportOf({ instead: ({ body }) => (body === 'missing-field' ? answer(200, SEARCH_BODY) : undefined) }),
    );
    expect(xml).toMatch(/<system-out>[^<]*warn/);
    expect(testcase(xml, 'search.USER', 'act-as.not-needed')).toMatch(/<system-out>\d+ of \d+ observed/);
    expect(xml).not.toContain('<failure');
  });

  test('reports a failure that a hand-written check found', async () => {
    const xml = renderJunit(await reportOf({ decisions: [decision('fail'), decision('pass')] }));
    expect(testcase(xml, 'search.USER', 'check isolation: user.isolation')).toContain('<failure');
  });

  test('explains the failure of a check by its own finding, also if two findings break the same requirement', async () => {
    const advised = (requirement: string, kind: string): Decision[] => {
      const advice: Decision = { ...decision('warn'), check: 'mcp', operation: 'mcp', kind, requirement, broke: 7 };
      return [advice, { ...advice, verdict: 'fail', requirement: 'reference.mcp' }];
    };
    const decisions = [...advised('mcp.status', 'USER'), ...advised('mcp.challenge', 'GLOBAL')];
    const report = await reportOf({ decisions });
    const response = { kind: 'failure', detail: 'timeout' } as const;
    const steps = [{ shows: 'the tools are listed', wanted: '200', response, failed: true }];
    const xml = renderJunit({ ...report, checks: report.checks.map((found) => ({ ...found, steps })) });
    expect(report.findings.map(({ id, requirements }) => `${id} ${requirements.join(' ')}`)).toEqual([
      'F1 mcp.status reference.mcp',
      'F2 mcp.challenge reference.mcp',
    ]);
    expect(testcase(xml, 'mcp.USER', 'check mcp: reference.mcp')).toMatch(/^F1: /m);
    expect(testcase(xml, 'mcp.GLOBAL', 'check mcp: reference.mcp')).toMatch(/^F2: /m);
  });

  test('skips a listed deviation and an accepted gap, each with the reason of its baseline entry', async () => {
    const changes = { GLOBAL_TOKEN_EXPIRED: undefined, GLOBAL_TOKEN_EXPIRED_UNSCOPED: undefined };
    const xml = renderJunit(await hostileReport({ changes, decisions: [], baseline: BASELINE }));
    expect(expired(xml)).toMatch(/<skipped message="known deviation, review by 2027-01-31: until the gateway/);
    expect(expired(xml)).toMatch(/<system-out>\d+ of \d+ known\nsearch\/USER\/expired/);
    expect(testcase(xml, 'search.GLOBAL', 'token.expired')).toMatch(/; accepted gap, [^"]*: nobody may create one"\/>/);
    expect([total(xml, 'failures'), total(xml, 'errors')]).toEqual([0, 0]);
    expect(total(xml, 'skipped')).toBe(xml.match(/<skipped /g)?.length);
  });

  test('reports a failure when the baseline lists only some of the failing cases, and shows the others', async () => {
    const search = { cases: 'search/USER/expired/all/**', reason: 'known since May', review: '2027-01-31' };
    const instead = (values: Values) => (expiredUser(values) ? answer(404) : undefined);
    const xml = renderJunit(await reportOf({ instead, baseline: { ...BASELINE, deviations: [search] } }));
    expect(expired(xml)).toMatch(/<failure message="search\/USER\/expired\/none/);
    expect(expired(xml)).not.toContain('search/USER/expired/all');
  });

  test('says what the run left on the target in a suite without tests', async () => {
    const report = await reportOf();
    const [before, xml] = [[], LEFT_CLIENTS].map((left) => renderJunit({ ...report, left }));
    expect(xml).toMatch(
      /<testsuite name="left on the target" tests="0" failures="0" errors="0" skipped="0">\n +<system-out>5 clients registered, still there: the run was interrupted\n {2}c1, &#60;b&#62;, c3 and 2 more</,
    );
    expect(total(xml ?? '', 'tests')).toBe(total(before ?? '', 'tests'));
  });

  test('contains no character that XML does not allow, and no markup of the target', async () => {
    const xml = [await hostileReport(), await hostileReport({ decisions: [], baseline: BASELINE })]
      .map(renderJunit)
      .join('');
    expect(xml).toContain('&#60;script&#62;');
    expect(xml).not.toMatch(/<script|<img|\]\]>|[^\P{Cc}\n]|\p{Cs}|[\uFFFE\uFFFF]/u);
  });
});
