import { describe, expect, test } from 'vitest';
import type { JournalEntry, RunRecord } from '../record/exchange.ts';
import { suiteVersion } from '../record/journal.ts';
import {
  CHECKS,
  check,
  conforming,
  ended,
  handedOver,
  problemsOf,
  record,
  right,
  withJournal,
  withStatement,
  wrong,
} from '../testing/handed-over.ts';
import { outcomeOf } from './terminal-verification.ts';

/** Somebody changes the journal and then makes report and statement again, so that all files agree. */
describe('a journal that was changed before its report was made', () => {
  const entries = ended(record, ...wrong);
  const cells = wrong.length;

  test.each<[string, readonly JournalEntry[], RegExp]>([
    [
      'without one of its exchanges',
      entries.filter((_, index) => index !== 5),
      /^journal\.ndjson: line 6: exchange 6 comes after 4, so entries are missing or added$/,
    ],
    [
      'without its last exchange',
      entries.filter((_, index) => index !== cells),
      /^journal\.ndjson: line \d+: the run wrote \d+ entries before this one, and there are \d+$/,
    ],
    [
      'with entries after its end',
      [...entries, { type: 'unsent', case: 'search/USER', reason: 'spent' }],
      /^journal\.ndjson: line \d+: there are entries after the end of the run$/,
    ],
    [
      'with a decision that rests on nothing',
      ended(record, ...wrong, {
        type: 'decision',
        check: 'isolation',
        requirement: 'user.isolation',
        operation: 'search',
        kind: 'USER',
        verdict: 'pass',
        detail: '',
        steps: [],
        acceptance: 999_999,
      }),
      /^journal\.ndjson: line \d+: the decision of isolation rests on exchange 999999, which is missing$/,
    ],
  ])('%s does not hold', (_how, changed, problem) => {
    expect(problemsOf(handedOver(changed))).toContainEqual(expect.stringMatching(problem));
  });

  test('with another run in it is judged by nothing', () => {
    expect(() => handedOver(ended(record, ...wrong, record))).toThrow(/the journal in this folder holds the runs/);
  });

  test('without some cases, and numbered again, does not hold', () => {
    const few = wrong
      .filter(({ case: id }) => !id.includes('/expired/'))
      .map((one, index) => ({ ...one, seq: index + 1 }));
    expect(problemsOf(handedOver(ended(record, ...few)))).toEqual([
      expect.stringMatching(/^journal\.ndjson: \d+ cases of the plan are missing, such as (search|chat)\/.*expired/),
    ]);
  });

  test.each<[string, Partial<RunRecord>]>([
    ['a claim', { claims: { ...record.claims, kinds: record.claims.kinds.filter((kind) => kind !== 'USER') } }],
    [
      'a variable',
      {
        variables: Object.fromEntries(
          Object.entries(record.variables).filter(([name]) => !/USER_TOKEN_EXP/.test(name)),
        ),
      },
    ],
  ])('without %s in its first line does not hold', (_what, change) => {
    const [problem = ''] = problemsOf(handedOver(ended({ ...record, ...change }, ...wrong)));
    expect(problem).toMatch(/^journal\.ndjson: line \d+: .*USER.* was sent, but the claims and the variables/);
  });

  test.each<[string, NonNullable<RunRecord['checks']>, RegExp]>([
    ['without a check', { isolation: ['user.isolation'] }, /line 1: the check paging is missing$/],
    [
      'with a check that nobody knows',
      { ...CHECKS, luck: [] },
      /line 1: this suite has no check luck for these claims$/,
    ],
    ['with other requirements', { ...CHECKS, paging: [] }, /line 1: the check paging lists other requirements/],
  ])('%s in its first line does not hold', (_how, checks, problem) => {
    expect(problemsOf(handedOver(ended({ ...record, checks }, ...right)))).toEqual([expect.stringMatching(problem)]);
  });
});

describe('a folder of another suite', () => {
  const other = (change: Partial<RunRecord>) => {
    const received = withJournal(conforming, ended({ ...record, ...change }, ...right));
    const { version: suite = suiteVersion, contract = record.contract } = change;
    return withStatement(received, { suite, contract });
  };

  test('that has another version cannot be judged here', () => {
    const verification = check(other({ version: '9.0.0', contract: 'other' }));
    expect(outcomeOf(verification)).toBe('unknown');
    expect(verification.points.flatMap(({ problems }) => problems)).toEqual([
      `recorded by suite 9.0.0, and this is ${suiteVersion}; verify the folder with suite 9.0.0`,
    ]);
  });

  test('that has this version and another contract does not hold', () => {
    expect(problemsOf(other({ contract: 'other' }))).toEqual([
      `journal.ndjson: line 1: the contract is other, and this is ${record.contract}; name its file with --contract if it is one of your own`,
    ]);
  });
});
