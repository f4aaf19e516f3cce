import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { Values } from '../../contract/contract.ts';
import { earlierRun, sinceEarlier } from '../../report/since.ts';
import { BASELINE, decision, expiredUser, HOSTILE, hostileReport, multiplied, reportOf } from '../../testing/report.ts';
import { answer, planWith } from '../../testing/small-world.ts';
import { renderJunit } from '../junit.ts';
import { escapeMarkup } from './html.ts';
import { packCases } from './packed-data.ts';
import { renderHtml } from './page.ts';

const MEGABYTE = 1_000_000;
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const between = (page: string, from: string, to: string) => page.split(from)[1]?.split(to)[0] ?? '';

describe('report.html', () => {
  test('has a policy that allows its own style and script and nothing else', async () => {
    const page = renderHtml(await reportOf());
    const policy = between(page, 'http-equiv="Content-Security-Policy" content="', '"');
    expect(policy).toBe(
      [
        "default-src 'none'",
        `style-src ${hash(between(page, '<style>', '</style>'))}`,
        `script-src ${hash(between(page, '<script>', '</script>'))}`,
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; '),
    );
    const markup = page.replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '');
    expect(markup).not.toMatch(/<[^>]* (on[a-z]+|style|src)=/);
    expect(markup).not.toMatch(/(href|url)=?\(?"?https?:/);
  });

  test('says by which contract it judges', async () => {
    const report = await reportOf();
    expect(renderHtml(report)).toContain('<p class="overline">Client API conformance of ');
    const own = renderHtml({ ...report, ownContract: 'tickets' });
    expect(own).toContain('<p class="overline">Tickets conformance of ');
    expect(between(own, '<header', '</header>')).not.toMatch(/client api/i);
  });

  test('contains text of the target as text only', async () => {
    const page = renderHtml(await hostileReport());
    expect(page).not.toContain('<script>window.broken');
    expect(page).not.toContain('<img');
    expect(page).toContain('&#60;script&#62;window.broken');
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page).not.toMatch(/[\p{Cs}\u202e]|[^\P{Cc}\n]/u);
    expect(page).not.toContain(HOSTILE.slice(0, 5));
  });

  test('shows the response that failed in lines, every step, and the text of the section', async () => {
    const instead = (values: Values) => (expiredUser(values) ? answer(404, 'no\nsuch page') : undefined);
    const report = await reportOf({ instead });
    const cause = between(renderHtml(report), '<article class="cause"', '</article>');
    expect(cause).toContain('<pre>404\nContent-Type: application/json\n| no\n| such page\n</pre>');
    expect(cause).toContain('<summary>All 3 steps</summary>');
    expect(cause).toContain('✕ failed:');
    expect(cause).toContain('<summary>spec 3 States and transitions</summary>');
    expect(cause).toContain('once a token has expired, the service no longer accepts it');
  });

  test('has a ticket for each cause, in lines as Markdown needs them', async () => {
    const page = renderHtml(await reportOf({ instead: (values) => (expiredUser(values) ? answer(404) : undefined) }));
    const ticket = between(page, '<details class="ticket">', '</details>');
    expect(ticket).toContain('\n\n### Reproduce\n\n```sh\ncurl ');
    expect(ticket).not.toContain('\\u{');
  });

  test('shows the whole body that is recorded of a refusal, and so does JUnit', async () => {
    const body = `{"error":"${'what is wrong '.repeat(130)}"}`;
    const report = await reportOf({ instead: (values) => (expiredUser(values) ? answer(404, body) : undefined) });
    for (const text of [renderHtml(report), renderJunit(report)]) expect(text).toContain(escapeMarkup(body));
  });

  test('shows what changed since the earlier run, as text, and no such section without one', async () => {
    const report = await reportOf();
    expect(renderHtml(report)).not.toContain('Since last time');
    const earlier = {
      ...earlierRun(report),
      run: HOSTILE,
      failing: { [`token.expired search/${HOSTILE.replaceAll(' ', '')}`]: [] },
    };
    const section = between(
      renderHtml({ ...report, since: sinceEarlier(earlier, report) }),
      '<section id="since"',
      '</section>',
    );
    expect(section).toContain('no longer decided');
    expect(section).toContain('href="#requirement-token.expired"');
    expect(section).not.toContain('<script');
  });

  test('shows the entries of the baseline, what to do about each, and the failures and gaps that they cover', async () => {
    const changes = { GLOBAL_TOKEN_EXPIRED: undefined, GLOBAL_TOKEN_EXPIRED_UNSCOPED: undefined };
    const page = renderHtml(await hostileReport({ changes, decisions: [], baseline: BASELINE }));
    const section = between(page, '<section id="baseline"', '</section>');
    expect(section).toContain('until the gateway is replaced');
    expect(section).toContain('no longer occurs: take it out');
    expect(section).toContain('was due for review on 2026-10-31: review it');
    expect(between(page, '<h1>', '</h1>')).toContain('Conforms except 2 listed');
    expect(page).toContain('<a href="#baseline">listed in the baseline</a>');
    expect(page).toContain('<a href="#baseline">accepted in the baseline</a>');
    expect(page).toContain('known deviation, review by 2027-01-31: until the gateway');
    expect(page).not.toContain('<script>window.broken');
    expect(renderHtml(await reportOf())).not.toContain('id="baseline"');
  });

  test('stays below 6 MB when each of 21,000 cases fails and has its curl line', async () => {
    const report = multiplied(await reportOf({ instead: () => answer(500) }), 21_000);
    expect(report.cases.filter(({ curl }) => curl === undefined)).toEqual([]);
    expect(Buffer.byteLength(renderHtml(report))).toBeLessThan(6 * MEGABYTE);
  });
});

describe('the first screen', () => {
  const firstScreen = (page: string) => between(page, '<header class="verdict"', '<nav');

  test('has the figures of a run without causes, and no empty section follows', async () => {
    const report = { ...(await reportOf({ changes: { CONFORMANCE_CLAIMS: 'user' } })), durationMs: 69_000 };
    const page = renderHtml({ ...report, freedoms: [] });
    for (const figure of ['user; as CONFORMANCE_CLAIMS states', 'claimed are decided everywhere: ', 'core; cases: '])
      expect(firstScreen(page)).toContain(figure);
    expect(firstScreen(page)).toContain('<dd>1 min 9 s</dd>');
    expect(firstScreen(page)).toContain(`${report.startedAt.slice(0, 10)} `);
    expect(firstScreen(page)).toContain('Not tried:</a>');
    for (const empty of ['causes', 'undecided', 'freedoms']) expect(page).not.toContain(`<section id="${empty}"`);
    expect(between(page, '<section id="about"', '</section>')).not.toContain('1 min 9 s');
  });

  test('counts failures among the requirements that are claimed, and leaves the figures to the section below', async () => {
    const changes = { CONFORMANCE_CLAIMS: 'user' };
    const report = await reportOf({ changes, instead: (values) => (expiredUser(values) ? answer(404) : undefined) });
    const claimed = report.requirements.filter(({ verdict }) => verdict !== 'not-applicable').length;
    const page = renderHtml(report);
    expect(claimed).toBeLessThan(report.requirements.length);
    expect(firstScreen(page)).toContain(`1 of ${claimed} claimed requirements fails (1 cause, shown below)`);
    expect(firstScreen(page)).not.toContain('<dl');
    expect(between(page, '<section id="about"', '</section>')).toContain(`of ${claimed} claimed are decided`);
  });
});

describe("the page's own script", () => {
  test('reads from its data the steps of a case and of a check', async () => {
    const report = await reportOf({
      instead: (values) => (expiredUser(values) ? answer(404, 'no') : undefined),
      decisions: [{ ...decision('fail'), steps: [1] }],
    });
    vi.stubGlobal('document', { getElementById: () => ({ textContent: packCases(report) }) });
    const { rows }: { rows: readonly { id: string; steps: readonly { response: string }[] }[] } = await import(
      `${new URL('./assets/data.js', import.meta.url).href}?steps`
    );
    vi.unstubAllGlobals();
    const stepsOf = (id: string) => rows.find((row) => row.id === id)?.steps ?? [];
    const expired = report.findings.find(({ requirements }) => requirements.includes('token.expired'));
    expect(stepsOf(expired?.example ?? '').map(({ response }) => response.split('\n')[0])).toEqual([
      '200',
      '404',
      '404',
    ]);
    expect(stepsOf('isolation/search/USER')).toHaveLength(1);
  });

  test('reads from its data every case with the values that it has in the plan', async () => {
    const report = await reportOf();
    vi.stubGlobal('document', { getElementById: () => ({ textContent: packCases(report) }) });
    const { rows }: { rows: readonly { id: string; values: Values; curl: string }[] } = await import(
      new URL('./assets/data.js', import.meta.url).href
    );
    vi.unstubAllGlobals();
    const { cases } = planWith();
    const wrong = rows.filter(({ id, values }) => {
      const { family: _family, scope: _scope, 'holding-form': _form, ...planned } = cases.get(id)?.values ?? {};
      return Object.entries(planned).some(([dimension, value]) => value !== (values[dimension as keyof Values] ?? '-'));
    });
    expect(rows.map(({ id }) => id)).toEqual(report.cases.map(({ id }) => id));
    expect(wrong).toEqual([]);
  });
});
