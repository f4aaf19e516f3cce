import { describe, expect, test } from 'vitest';
import type { JournalEntry, RunRecord } from './journal.ts';
import { replay } from './replay.ts';
import {
  contract,
  everyVariable,
  exchangeOf,
  planWith,
  rightAnswer,
  sendAll,
  settingsWith,
} from './small-world.test.setup.ts';

const plan = planWith();
const record: RunRecord = {
  type: 'run',
  version: '0.0.0',
  run: 'test',
  contract: contract.digest,
  startedAt: '2026-11-21T00:00:00Z',
  target: 'https://target.example',
  depth: 'core',
  claims: settingsWith().claims,
  trusted: false,
  variables: Object.fromEntries(Object.keys(everyVariable).map((name) => [name, 'environment'])),
};
const exchanges = sendAll(plan, ({ values }) => rightAnswer(values), 1);
const end: JournalEntry = { type: 'end', interrupted: false };
const judge = (...entries: readonly JournalEntry[]) => replay(contract, [record, ...entries]);

describe('a journal judged again', () => {
  test('gives the verdicts of the run', () => {
    const { conclusion, ended, plan: again } = judge(...exchanges, end);
    expect([conclusion.ending, ended]).toEqual(['conforms', true]);
    expect([...again.cases.keys()]).toEqual([...plan.cases.keys()]);
  });

  test('names every credential as the run did, also those made from another', () => {
    const recipes = ({ cases }: typeof plan) => [...cases.values()].map(({ credential }) => credential?.recipe);
    expect(recipes(judge(...exchanges, end).plan)).toEqual(recipes(plan));
    expect(recipes(plan).filter((recipe) => recipe?.includes(' of 43 changed')).length).toBeGreaterThan(5);
  });

  test.each<[string, readonly JournalEntry[]]>([
    ['has no end', []],
    ['ends interrupted', [{ type: 'end', interrupted: true }]],
    ['ends where the target was gone', [{ type: 'end', interrupted: false, stopped: 'no answer' }]],
  ])('never conforms where it %s', (_how, last) => {
    expect(judge(...exchanges, ...last).conclusion.ending).toBe('inconclusive');
  });

  test('says why a case was left out', () => {
    const [left, ...others] = exchanges;
    const unsent: JournalEntry = { type: 'unsent', case: left?.case ?? '', reason: 'not sent: spent' };
    const { verdicts } = judge(...others, unsent, end).conclusion;
    expect(verdicts.find((found) => found.case.id === left?.case)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'not sent: spent',
    });
  });

  test('is refused under another contract, and where it holds no run', () => {
    expect(() => replay(contract, [{ ...record, contract: 'other' }])).toThrow(/recorded under contract other/);
    expect(() => replay(contract, exchanges)).toThrow(/does not begin with a run/);
  });

  test('takes no recipe from what a check made', () => {
    const [first] = plan.cases.values();
    if (!first) throw new Error('nothing is planned');
    const made = {
      ...exchangeOf(first, rightAnswer(first.values), 9999, 'check'),
      credential: '$USER_TOKEN, character 1 of 2 changed',
    };
    const recipes = [...judge(made, end).plan.cases.values()].map(({ credential }) => credential?.recipe);
    expect(recipes).not.toContain(made.credential);
  });
});
