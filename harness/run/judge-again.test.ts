import { describe, expect, test } from 'vitest';
import type { JournalEntry, RunRecord } from '../record/exchange.ts';
import { makeReport } from '../report/report.ts';
import { decision } from '../testing/report.ts';
import { casesAt, catalogue, planWith, rightAnswer, runRecord, sendAll } from '../testing/small-world.ts';
import { judgeAgain } from './judge-again.ts';

const plan = planWith();
const record = runRecord({
  tamperings: [...plan.cases.values()].flatMap(({ credential }) => credential?.tampering ?? []),
});
const exchanges = sendAll(plan, ({ values }) => rightAnswer(values), 1);
const end: JournalEntry = { type: 'end', interrupted: false };
const judge = (...entries: readonly JournalEntry[]) => judgeAgain(catalogue, [record, ...entries], { casesAt });

describe('a journal that is judged again', () => {
  test('gives the verdicts of the run', () => {
    const { judged, plan: again } = judge(...exchanges, end);
    expect(judged.ending).toBe('conforms');
    expect([...again.cases.keys()]).toEqual([...plan.cases.keys()]);
  });

  test('names every credential as the run did, including derived ones', () => {
    const namesIn = ({ cases }: typeof plan, what: 'recipe' | 'shell') =>
      [...cases.values()].map(({ credential }) => credential?.[what]);
    const { plan: again } = judge(...exchanges, end);
    const recipes = namesIn(plan, 'recipe');
    expect([namesIn(again, 'recipe'), namesIn(again, 'shell')]).toEqual([recipes, namesIn(plan, 'shell')]);
    expect(recipes.filter((recipe) => recipe?.includes(' of 43 changed')).length).toBeGreaterThan(5);
  });

  test.each<[string, readonly JournalEntry[]]>([
    ['has no end', []],
    ['ends interrupted', [{ type: 'end', interrupted: true }]],
    ['ends because the target was gone', [{ type: 'end', interrupted: false, stopped: 'no answer' }]],
  ])('never conforms if it %s', (_what, last) => {
    expect(judge(...exchanges, ...last).judged.ending).toBe('inconclusive');
  });

  test('says what the run left on the target', () => {
    const left: readonly JournalEntry[] = [
      { type: 'created', what: 'client', check: 'authorization-client', id: 'c1' },
      { type: 'removed', what: 'client', check: 'authorization-client', id: 'c1', failed: 'it got 403' },
    ];
    const minted = { 'USER valid all': 'token', 'USER expired all': { unsupported: 'no' } } as const;
    const replayed = judgeAgain(catalogue, [{ ...record, minted }, ...exchanges, ...left, end], { casesAt });
    const report = makeReport(replayed, replayed.judged, null);
    expect(report.left.filter(({ what }) => what !== 'conversation')).toEqual([
      { what: 'client', created: 1, removed: 0, ids: ['c1'], reasons: ['it got 403'] },
      { what: 'minted token', created: 1, removed: 0, ids: [], reasons: [expect.stringContaining('RFC 7009')] },
    ]);
  });

  test('says why a case was not sent', () => {
    const [left, ...others] = exchanges;
    const unsent: JournalEntry = { type: 'unsent', case: left?.case ?? '', reason: 'not sent: spent' };
    const { verdicts } = judge(...others, unsent, end).judged;
    expect(verdicts.find((found) => found.case.id === left?.case)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'not sent: spent',
    });
  });

  test.each<[string, Partial<RunRecord>, RegExp]>([
    ['it was recorded under another contract', { contract: 'other' }, /recorded under contract other/],
    [
      'it was recorded by another major version',
      { version: '7.1.0' },
      /by suite 7\.1\.0.*judge it with the suite that recorded it \(version 7\.1\.0\)/,
    ],
    ['its depth does not exist', { depth: 'deep' }, /depth deep, wanted one of core/],
  ])('is refused if %s', (_what, change, message) => {
    const changed = [{ ...record, ...change }, ...exchanges, end];
    expect(() => judgeAgain(catalogue, changed, { casesAt })).toThrow(message);
  });

  test('is refused if it holds two runs', () => {
    const other = { ...record, run: 'another1' };
    expect(() => judgeAgain(catalogue, [record, ...exchanges, other, ...exchanges, end], { casesAt })).toThrow(
      /holds the runs \S+ and another1; keep the lines of one/,
    );
  });

  test('is refused if it does not begin with a run', () => {
    expect(() => judgeAgain(catalogue, exchanges, { casesAt })).toThrow(/does not begin with a run/);
  });

  test('of a narrowed run has only the cases of that part, and is partial', () => {
    const narrowing = { only: ['search/USER/**'], except: [], requirements: [] };
    const { judged, plan: part } = judgeAgain(catalogue, [{ ...record, narrowing }, ...exchanges, end], { casesAt });
    expect([judged.ending, part.cases.size < plan.cases.size / 4]).toEqual(['partial', true]);
  });

  test('of a killed run leaves the requirements of the remaining checks undecided', () => {
    const found = decision('pass');
    const verdicts = (entries: readonly JournalEntry[]) => {
      const { requirements } = judge(...exchanges, ...entries).judged;
      const of = (id: string) => requirements.find(({ requirement }) => requirement.id === id)?.verdict;
      return [of('user.isolation'), of('search.page-size')];
    };
    expect(verdicts([found])).toEqual(['pass', 'inconclusive']);
    expect(verdicts([found, end])).toEqual(['pass', 'not-applicable']);
  });
});

describe('a journal of somebody else', () => {
  const linesOf = (...entries: readonly JournalEntry[]) => {
    const replayed = judgeAgain(catalogue, entries, { casesAt });
    const { cases, checks } = makeReport(replayed, replayed.judged, null);
    return [...cases, ...checks].flatMap(({ curl }) => curl ?? []);
  };

  test('cannot make a person send variables of another program', () => {
    const sending = (name: string) => `curl -sS -i "$TARGET_BASE_URL/" -H "Authorization: Bearer ${name}"`;
    for (const name of ['$GITHUB_TOKEN', '$HOME', '$TOKEN_COMMAND'])
      expect(linesOf(record, { ...decision('fail'), curl: sending(name) }, end)).not.toContain(sending(name));
    for (const name of ['$USER_TOKEN', '$ACT_AS_EMAIL', 'a$RANDOM'])
      expect(linesOf(record, { ...decision('fail'), curl: sending(name) }, end)).toContain(sending(name));
  });

  test('cannot hide a decision by the name of its requirement', () => {
    expect(() => linesOf(record, { ...decision('fail'), requirement: 'token.expried' }, end)).toThrow(
      'the journal has a decision on token.expried, which no requirement of this contract is',
    );
  });

  test('cannot make a tampered token of another secret', () => {
    const tamperings = record.tamperings?.map((one) => ({ ...one, shell: `\${AWS_SECRET_ACCESS_KEY:0:40}` })) ?? [];
    const lines = linesOf({ ...record, tamperings });
    expect(tamperings.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes('AWS_SECRET'))).toEqual([]);
  });
});
