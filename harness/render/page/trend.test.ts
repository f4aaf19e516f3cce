import { describe, expect, test } from 'vitest';
import { historyRun } from '../../report/history.ts';
import { runsBefore } from '../../testing/history.ts';
import { expiredUser, HOSTILE, reportOf } from '../../testing/report.ts';
import { accepted } from '../../testing/small-world.ts';
import { renderHtml } from './page.ts';

const report = await reportOf({ instead: (values) => (expiredUser(values) ? accepted : undefined) });
const now = historyRun(report);
const times = { operation: 'search', requests: 9, median: 20, percentile95: 40, percentile99: 60, slowest: 90 };
const conforms = { ending: 'conforms', requirements: { pass: 40 }, causes: [] } as const;
const trendIn = (page: string) => page.split('<section id="trend"')[1]?.split('</section>')[0] ?? '';
const trend = (...changes: Parameters<typeof runsBefore>[1]) =>
  trendIn(renderHtml(report, [...runsBefore(report, changes), now]));

describe('the trend', () => {
  test('is drawn as soon as there are two runs against the same target', () => {
    expect(trendIn(renderHtml(report, []))).toBe('');
    expect(trendIn(renderHtml(report, [now]))).toBe('');
    expect(trend({ target: 'https://other.example' })).toBe('');
    expect(trend(conforms)).toContain('<svg role="img"');
  });

  test('is about this target only, by the numbers that compare takes', () => {
    const text = trend(conforms, { target: 'https://other.example' });
    expect(text).toContain('The last 2 runs against this target');
    expect([...text.matchAll(/<tr><td class="count">(\d+)<\/td>/g)].map(([, number]) => number)).toEqual(['1', '3']);
  });

  test('has a bar for each run and verdict, and the values in words', () => {
    const text = trend(conforms, { requirements: { fail: 2, inconclusive: 1, pass: 9 }, ending: 'deviates' });
    expect(text).toContain('aria-label="Requirements that do not pass, from the oldest run to the last one: 0, 3, 1"');
    const [first = ''] = text.split('</svg>');
    expect([...first.matchAll(/<rect data-verdict="([a-z]+)"/g)].map(([, verdict]) => verdict)).toEqual([
      'pass',
      'fail',
      'inconclusive',
      'fail',
    ]);
  });

  test('shows durations and latencies, and a gap where one is unknown', () => {
    const text = trend({ durationMs: 61_000, latency: [times] }, { durationMs: null, latency: [] });
    expect(text).toContain('aria-label="Duration, from the oldest run to the last one: 1 min 1 s, unknown, ');
    expect(text).toContain('aria-label="search, 95 % within, from the oldest run to the last one: 40 ms, none, none"');
    expect(text).not.toContain('NaN');
  });

  test('says since when a cause is there', () => {
    expect(trend(conforms)).toContain('F1 token.expired</a> <span class="quiet">in this run alone</span>');
    expect(trend({}, conforms)).toMatch(/F1 token\.expired<\/a> <span class="quiet">in 2 of these runs, first on 20/);
  });

  test('shows text of a history as text, and needs neither a script nor a style of its own', () => {
    const text = trend({ run: HOSTILE, narrowed: HOSTILE });
    expect(text).toContain('&#60;/script&#62;&#60;script&#62;');
    expect(text).not.toMatch(/<script|<img|style=/);
    expect(text).not.toContain('\u001b');
  });
});
