import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { isConfigurationError } from '../contract/configuration-error.ts';
import { WHOLE } from '../plan/narrowing.ts';
import { noJournal } from '../record/journal.ts';
import { renderHtml } from '../render/page/page.ts';
import { renderEnd } from '../render/terminal.ts';
import { renderStart } from '../render/terminal-start.ts';
import { earlierRun, sinceEarlier } from '../report/since.ts';
import { startSession } from '../run/start-session.ts';
import { decision, expiredUser, idleCheck, LEFT_CLIENTS, reportOf } from '../testing/report.ts';
import { answer, casesAt, catalogue, SEARCH_BODY, settingsWith } from '../testing/small-world.ts';
import { explainer } from './explain.ts';
import { makePreview } from './preview.ts';
import { renderPreview } from './preview-text.ts';

const checks = [idleCheck('isolation', ['user.isolation']), idleCheck('bursts', ['token.unknown'], true)];
const explain = explainer(catalogue);
const colors = pc.createColors(false);

/** A passing, a failing and an undecided run, with as much to say as possible. */
const passing = await reportOf({ checks });
const failing = await reportOf({
  checks,
  changes: { USER_TOKEN_CHAT: undefined },
  instead: (values) => {
    if (values.body === 'missing-field') return answer(200, SEARCH_BODY);
    return expiredUser(values) ? answer(404, 'no') : undefined;
  },
  decisions: [decision('fail'), { ...decision('observed'), requirement: 'act-as.effective' }],
});
const undecided = await reportOf({ changes: { USER_TOKEN_EXPIRED: undefined, CONFORMANCE_CLAIMS: 'user scopes' } });
const reports = [passing, failing, undecided].map((report, index, all) => ({
  ...report,
  durationMs: 69_000,
  left: LEFT_CLIENTS,
  trouble: ['the target asked to slow down once'],
  since: sinceEarlier(earlierRun(all[(index + 1) % 3] ?? report), report),
}));

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** The labels of tables, and the words that follow a number. */
function wordsOfTerminal(text: string): readonly string[] {
  const labels = matches(text, /^ {2,3}([a-z][\w-]*(?:[ ,]{1,2}[\w-]+)*?) {2,}\S/gm);
  const facts = matches(text, /^ {2}([a-z]+): /gm);
  const counted = matches(text, /(?<![\w.:])\d[\d,]* ([a-z][a-z-]+)(?=,|;|$|\n)/g).filter((word) => word !== 'm');
  return [...labels, ...facts, ...counted].map((label) => label.replace(/^set /, ''));
}

/** Headings, names of columns and facts, verdicts, and what is written as code. */
function wordsOfPage(page: string): readonly string[] {
  const html = page.replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '');
  const text = (found: string) => found.replace(/<[^>]*>/g, '').trim();
  return [
    ...matches(html, /<h2[^>]*>([^<]+)<\/h2>/g),
    ...matches(html, /<dt>(.*?)<\/dt>/g).map(text),
    ...matches(html, /<th scope="col"[^>]*>([A-Z][^<]+)<\/th>/g),
    ...matches(html, /<span class="badge"[^>]*>(.*?<\/i>[a-z-]+)<\/span>/g).map((badge) =>
      badge.replace(/^.*<\/i>/, ''),
    ),
    ...matches(html, /<a href="#requirement-[^"]*"><code>([^<]+)<\/code>/g),
  ];
}

/** Names of hosts and of people, and what the page of a table of headers has: no words of ours. */
const NOT_OURS = /^(more$|target\.example|X-Service|people\.example|\d)|^(entry, reason and review date)$/i;

describe('explain', () => {
  test('takes every word that a run, its page and a plan print', async () => {
    const session = startSession(settingsWith(), { journal: noJournal, casesAt, checks });
    const plan = await makePreview(settingsWith({ USER_TOKEN_EXPIRED: undefined }), {
      checks,
      intrusive: false,
      narrowing: WHOLE,
    });
    const texts = [
      renderStart({ ...session, chatLimit: { max: 3 } }, '1', colors),
      renderPreview(plan, colors),
      ...reports.map((report) => renderEnd(report, { file: 'report.html' }, colors)),
    ];
    await session.close();
    const words = new Set(
      [...texts.flatMap(wordsOfTerminal), ...reports.flatMap((report) => wordsOfPage(renderHtml(report)))].filter(
        (word) => !NOT_OURS.test(word),
      ),
    );
    const unknown = [...words].filter((word) => {
      try {
        return explain(word).length === 0;
      } catch (error) {
        if (!isConfigurationError(error)) throw error;
        return true;
      }
    });
    expect(unknown).toEqual([]);
    expect(words.size).toBeGreaterThan(120);
    for (const word of ['observed', 'where', 'would catch', 'Freedoms', 'core'])
      expect([...words, 'core']).toContain(word);
  });

  test.each([
    ['observed', 'a verdict: the contract leaves it open'],
    ['core', 'a depth: every documented row'],
    ['act-as', 'blank  the header is sent with an empty value'],
    ['5.1', '`X-Service-ActAs` | global service-issued tokens'],
    ['spec 5.1', '`X-Service-ActAs` | global service-issued tokens'],
    ['RFC 9110 15.5.2', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2'],
    ['401', 'token.expired  401'],
    ['freedoms', 'Never a failure'],
    ['act as, doubled', 'The specification does not show which of two lines counts.'],
    ['deviates', 'with exit code 1'],
    ['conforms except', 'what the baseline lists'],
    ['70', 'a defect of the suite'],
    ['service', 'a family of kinds: tokens that the service issues'],
    ['Not tried', 'what the run left out'],
    ['holding', 'every scope but that'],
    ['advisory', 'an RFC advises it'],
  ])('says what %s is', (word, part) => {
    const text = explain(word).flatMap(({ title, rows }) => [title, ...rows.map((row) => row.join('  '))]);
    expect(text.join('\n')).toContain(part);
  });
});
