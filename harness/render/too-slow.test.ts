import pc from 'picocolors';
import { expect, test } from 'vitest';
import { measuredLimits } from '../report/latency.ts';
import type { Report } from '../report/report.ts';
import { reportOf } from '../testing/report.ts';
import { githubAnnotations, githubOutputs, githubSummary } from './github.ts';
import { renderJunit } from './junit.ts';
import { renderHtml } from './page/page.ts';
import { renderEnd } from './terminal.ts';

const times = { requests: 9, median: 4, percentile95: 31, percentile99: 90, slowest: 1_204 };
const limits = [
  { measure: 'p95', ms: 30 },
  { operation: 'chat', measure: 'p95', ms: 5_000 },
  { operation: 'mcp-tools-call', measure: 'max', ms: 5_000 },
] as const;
const colors = pc.createColors(false);

const conforming = await reportOf();
const { byContract } = conforming;
const latency: Report['latency'] = [
  { operation: 'search', outcome: 'accepted', ...times },
  { operation: 'chat', outcome: 'accepted', ...times },
];
const maxLatency = measuredLimits(limits, latency);
const slow: Report = {
  ...conforming,
  latency,
  maxLatency,
  ending: 'too-slow',
  line: `too slow: search p95 31 ms, limit 30 ms; otherwise ${byContract.line}`,
  exitCode: 1,
};
const SAID = 'search p95 31 ms, limit 30 ms';

test('the terminal ends with the limit that was exceeded, and how the contract was kept', () => {
  const lines = renderEnd(slow, { file: 'report.html' }, colors).split('\n');
  expect(lines).toContain(`  max latency   ${SAID}: exceeded`);
  expect(lines.join('\n')).toMatch(
    /\n✘ \S+: too slow: search p95 31 ms, limit 30 ms; otherwise conforms: .*exit code 1/,
  );
});

test('the page has the limit in its first sentence and beside the times, and no cause', () => {
  const page = renderHtml(slow);
  expect(page).toMatch(
    /<h1>.*Too slow<\/h1>\n<p class="lede">Accepted requests took too long: search p95 31 ms, limit 30 ms\. .*Nothing deviates\.<\/p>/,
  );
  expect(page).toContain(`<p class="notice"><code>--max-latency</code> ${SAID}: <strong>exceeded</strong></p>`);
  expect(page).toContain('<p><code>--max-latency</code> mcp-tools-call max not measured, limit 5,000 ms</p>');
});

test('junit.xml has a test for each limit: a failure, a pass, and one that is skipped', () => {
  const xml = renderJunit(slow);
  const suite = xml.slice(xml.indexOf('<testsuite name="latency"'));
  expect(suite).toMatch(/^<testsuite name="latency" tests="3" failures="1" errors="0" skipped="1">/);
  expect(suite).toContain(
    `<testcase classname="latency.search" name="p95">\n      <failure message="${SAID}" type="too slow"/>`,
  );
  expect(suite).toContain('<testcase classname="latency.chat" name="p95"/>');
  expect(suite).toContain('<skipped message="mcp-tools-call max not measured, limit 5,000 ms"/>');
  const total = (name: string, text: string) => Number(new RegExp(`<testsuites [^>]*${name}="(\\d+)"`).exec(text)?.[1]);
  const without = renderJunit(conforming);
  for (const [name, more] of [
    ['tests', 3],
    ['failures', 1],
    ['skipped', 1],
  ] as const)
    expect(total(name, xml) - total(name, without)).toBe(more);
});

test('annotations, summary and outputs say it', () => {
  expect(githubAnnotations(slow)[0]).toBe(`::error title=too slow::${SAID}`);
  expect(githubSummary(slow)).toMatch(/^## ❌ .*too slow/);
  expect(githubSummary(slow)).toContain('✅ chat p95 31 ms&#44; limit 5&#44;000 ms');
  expect(githubOutputs(slow)).toMatch(/^ending=too-slow\n/);
});

test('a run that deviates says it too, and ends as before', async () => {
  const deviates: Report = { ...conforming, maxLatency, ending: 'deviates', line: 'deviates', exitCode: 1 };
  expect(renderEnd(deviates, {}, colors)).toContain(`${SAID}: exceeded`);
  expect(githubAnnotations(deviates)[0]).toBe(`::error title=too slow::${SAID}`);
  expect(renderJunit(deviates)).toContain(`<failure message="${SAID}" type="too slow"/>`);
});
