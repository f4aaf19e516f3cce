import fc from 'fast-check';
import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { visibleLines } from '../harness/contract/visible-text.ts';
import type { JournalEntry } from '../harness/record/exchange.ts';
import { readJournal } from '../harness/record/journal.ts';
import { githubAnnotations, githubSummary } from '../harness/render/github.ts';
import { renderJunit } from '../harness/render/junit.ts';
import { renderHtml } from '../harness/render/page/page.ts';
import { renderEnd } from '../harness/render/terminal.ts';
import { renderAgain } from '../harness/render/terminal-start.ts';
import { makeReport } from '../harness/report/report.ts';
import { judgeAgain } from '../harness/run/judge-again.ts';
import { mergeJournals } from '../harness/run/merge.ts';
import { decision } from '../harness/testing/report.ts';
import { casesAt, catalogue, planWith, rightAnswer, runRecord, sendAll } from '../harness/testing/small-world.ts';
import { anyDamage, anyValue, damaged, folderForFiles, refusal, withValueAt } from './testing/damage.ts';
import { draws } from './testing/draws.ts';

const { folder, fileWith } = folderForFiles();

describe('a journal', () => {
  const plan = planWith();
  const record = runRecord({
    extraHeaders: ['X-Gateway'],
    narrowing: { only: ['search/**'], except: [], requirements: [], shard: { index: 1, of: 2 } },
    tamperings: [...plan.cases.values()].flatMap(({ credential }) => credential?.tampering ?? []).slice(0, 2),
    minted: { 'USER valid all': { failed: 'code 3' }, 'USER expired all': 'token' },
  });
  const exchanges = sendAll(plan, ({ values }) => rightAnswer(values)).slice(0, 40);
  const entries: readonly JournalEntry[] = [
    record,
    {
      type: 'earlier',
      run: 'zero',
      startedAt: '2026-11-20T00:00:00Z',
      target: 'https://target.example',
      failing: { 'token.expired search/USER': ['search/USER/expired/all/act-as:absent/auth-type:absent'] },
      decided: ['token.expired search/USER', 'token.unknown search/unknown'],
    },
    ...exchanges,
    { type: 'unsent', case: exchanges[0]?.case ?? '', reason: 'not sent: spent' },
    { ...decision('fail'), curl: 'curl -sS -i "$TARGET_BASE_URL/"', variable: 'USER_TOKEN' },
    { type: 'lockout', from: 1, to: 3 },
    { type: 'end', interrupted: false, stopped: 'gone' },
  ];
  const textOf = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const colors = pc.createColors(false);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not come through.
  const ACTIVE = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b\ud800\uffff]|^::error::/m;

  /** Everything that `report` and `merge` make of a journal. */
  async function judge(text: string): Promise<string | undefined> {
    const file = fileWith('journal.ndjson', text);
    let shown: readonly string[] = [];
    const refused = await refusal(() => {
      const read = readJournal(file);
      const replayed = judgeAgain(catalogue, read, { casesAt });
      const report = makeReport(replayed, replayed.judged, null);
      shown = [
        renderAgain(replayed, file, colors),
        renderEnd(report, { file }, colors),
        githubAnnotations(report)
          .map((line) => line.replace(/^::error title/, ''))
          .join('\n'),
        githubSummary(report),
        renderJunit(report),
        renderHtml(report),
      ];
      mergeJournals(catalogue, [{ folder, entries: read }], casesAt);
    });
    for (const output of [...shown, visibleLines(refused ?? '')]) expect(ACTIVE.exec(output)?.[0]).toBeUndefined();
    return refused;
  }

  test('that is whole is judged', async () => {
    expect(await judge(textOf(entries))).toBeUndefined();
  });

  test('with any other value anywhere is judged or refused with its line', async () => {
    const place = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
    const line = fc.oneof(fc.constant(0), fc.nat(entries.length - 1));
    await fc.assert(
      fc.asyncProperty(line, place, anyValue, async (at, steps, value) => {
        const changed = entries.map((entry, index) => (index === at ? withValueAt(entry, steps, value) : entry));
        const refused = await judge(textOf(changed));
        if (refused !== undefined) expect(refused).toMatch(/journal|shard|depth|merge/);
      }),
      draws(120),
    );
  });

  test('that is damaged is judged or refused with its line', async () => {
    const text = textOf(entries.slice(0, 12));
    await fc.assert(
      fc.asyncProperty(fc.array(anyDamage, { minLength: 1, maxLength: 3 }), async (damages) => {
        await judge(damages.reduce(damaged, text));
      }),
      draws(100),
    );
  });

  test.each<[string, unknown, RegExp]>([
    [
      'no messages',
      { ...exchanges[0], observation: { kind: 'answer', status: 401, form: 'text', whole: null, embedded: [] } },
      /line 2 is not a journal entry: \/observation\/whole is empty, wanted a list/,
    ],
    [
      'a header of several lines',
      { ...record, extraHeaders: ['X-A\r\nX-B'] },
      /line 2 is not a journal entry: \/extraHeaders\/0/,
    ],
    [
      'a command in place of a token',
      { ...record, tamperings: [{ from: '$USER_TOKEN', how: 'x', shell: '$(id)' }] },
      /line 2 is not a journal entry: \/tamperings\/0\/shell/,
    ],
    [
      'a million shards',
      { ...record, narrowing: { ...record.narrowing, shard: { index: 1, of: 1_000_000 } } },
      /line 2 is not a journal entry: \/narrowing\/shard\/of/,
    ],
    ['a list', [], /line 2 is not a journal entry/],
  ])('with %s is refused with its line', async (_what, entry, message) => {
    expect(await judge(textOf([record, entry]))).toMatch(message);
  });

  test('with a command of somebody else loses it', () => {
    const [, found] = readJournal(
      fileWith(
        'journal.ndjson',
        textOf([record, { ...decision('fail'), curl: 'curl x | sh', commands: { 1: 'curl y | sh' } }]),
      ),
    );
    expect(found).toEqual(decision('fail'));
  });
});
