import { describe, expect, test } from 'vitest';
import type { JournalEntry, RunRecord } from '../record/exchange.ts';
import { catalogue, planWith, rightAnswer, runRecord, sendAll } from '../testing/small-world.ts';
import { replay } from './replay.ts';

const plan = planWith();
const record = runRecord({
  tamperings: [...plan.cases.values()].flatMap(({ credential }) => credential?.tampering ?? []),
});
const exchanges = sendAll(plan, ({ values }) => rightAnswer(values), 1);
const end: JournalEntry = { type: 'end', interrupted: false };
const judge = (...entries: readonly JournalEntry[]) => replay(catalogue, [record, ...entries]);

describe('a journal judged again', () => {
  test('gives the verdicts of the run', () => {
    const { judged, ended, plan: again } = judge(...exchanges, end);
    expect([judged.ending, ended]).toEqual(['conforms', true]);
    expect([...again.cases.keys()]).toEqual([...plan.cases.keys()]);
  });

  test('names every credential as the run did, also those made from another', () => {
    const said = (of: typeof plan, what: 'recipe' | 'shell') =>
      [...of.cases.values()].map(({ credential }) => credential?.[what]);
    const { plan: again } = judge(...exchanges, end);
    expect([said(again, 'recipe'), said(again, 'shell')]).toEqual([said(plan, 'recipe'), said(plan, 'shell')]);
    expect(said(plan, 'recipe').filter((recipe) => recipe?.includes(' of 43 changed')).length).toBeGreaterThan(5);
  });

  test.each<[string, readonly JournalEntry[]]>([
    ['has no end', []],
    ['ends interrupted', [{ type: 'end', interrupted: true }]],
    ['ends where the target was gone', [{ type: 'end', interrupted: false, stopped: 'no answer' }]],
  ])('never conforms where it %s', (_how, last) => {
    expect(judge(...exchanges, ...last).judged.ending).toBe('inconclusive');
  });

  test('says why a case was left out', () => {
    const [left, ...others] = exchanges;
    const unsent: JournalEntry = { type: 'unsent', case: left?.case ?? '', reason: 'not sent: spent' };
    const { verdicts } = judge(...others, unsent, end).judged;
    expect(verdicts.find((found) => found.case.id === left?.case)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'not sent: spent',
    });
  });

  test.each<[string, Partial<RunRecord>, RegExp]>([
    ['under another contract', { contract: 'other' }, /recorded under contract other/],
    ['by another major version', { version: '7.1.0' }, /recorded by suite 7\.1\.0.*client-api-conformance@7/],
    ['with a depth that does not exist', { depth: 'deep' }, /depth deep, wanted one of core/],
  ])('is refused %s', (_how, change, message) => {
    expect(() => replay(catalogue, [{ ...record, ...change }, ...exchanges, end])).toThrow(message);
  });

  test('is refused where it holds no run', () => {
    expect(() => replay(catalogue, exchanges)).toThrow(/does not begin with a run/);
  });

  test('holds a narrowed run against its part only, and calls it partial', () => {
    const narrowing = { only: ['search/USER/**'], except: [], requirements: [] };
    const { judged, plan: part } = replay(catalogue, [{ ...record, narrowing }, ...exchanges, end]);
    expect([judged.ending, part.cases.size < plan.cases.size / 4]).toEqual(['partial', true]);
  });

  test('leaves undecided what the checks would have decided that a killed run did not come to', () => {
    const found: JournalEntry = {
      type: 'decision',
      check: 'isolation',
      requirement: 'user.isolation',
      operation: 'search',
      kind: 'USER',
      verdict: 'pass',
      detail: '',
    };
    const verdicts = (entries: readonly JournalEntry[]) => {
      const { requirements } = judge(...exchanges, ...entries).judged;
      const of = (id: string) => requirements.find(({ requirement }) => requirement.id === id)?.verdict;
      return [of('user.isolation'), of('search.page-size')];
    };
    expect(verdicts([found])).toEqual(['pass', 'inconclusive']);
    expect(verdicts([found, end])).toEqual(['pass', 'not-applicable']);
  });
});
