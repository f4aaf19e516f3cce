import { describe, expect, test } from 'vitest';
import { WHOLE } from '../plan/narrowing.ts';
import { daysLater } from '../testing/history.ts';
import { decision, expiredUser, reportOf, type Scenario } from '../testing/report.ts';
import { accepted, answer, reset } from '../testing/small-world.ts';
import { historyRun, joinedRuns, MOST_RUNS, numbered, pairsIn, withRun } from './history.ts';

const acceptsExpired: Scenario = { instead: (values) => (expiredUser(values) ? accepted : undefined) };
const [good, bad] = [await reportOf(), await reportOf(acceptsExpired)];
const keysOf = async (scenario: Scenario) => (await reportOf(scenario)).findings.map(({ key }) => key);

describe('what history keeps of a run', () => {
  test('is how it ended, its counts, its causes with their conditions, and what it decided', () => {
    const { ending, exitCode, requirements, cases, causes, failing, decided } = historyRun(bad);
    expect([ending, exitCode, requirements.fail, cases.fail]).toEqual(['deviates', 1, 1, bad.counts.verdicts.fail]);
    expect(causes).toEqual([
      {
        key: expect.stringMatching(/^[0-9a-f]{12}$/),
        id: 'F1',
        verdict: 'fail',
        requirements: ['token.expired'],
        where: bad.findings[0]?.where,
        listed: false,
      },
    ]);
    expect([...pairsIn(failing)]).toEqual(['token.expired chat/USER', 'token.expired search/USER']);
    expect(pairsIn(decided).has('act-as.missing search/GLOBAL')).toBe(true);
  });

  test('has no request and no response', () => {
    expect(JSON.stringify(historyRun(bad))).not.toMatch(/curl|Bearer|\$USER_TOKEN/);
  });

  test('names a cause alike in every run, and a cause with other conditions otherwise', async () => {
    const [inCore] = await keysOf(acceptsExpired);
    const refused = {
      instead: (values: Parameters<typeof expiredUser>[0]) => (expiredUser(values) ? answer(404) : undefined),
    };
    expect(await keysOf({ ...acceptsExpired, depth: 'pairwise' })).toEqual([inCore]);
    expect(await keysOf(refused)).toEqual([inCore]);
    const ofGlobal = await keysOf({
      instead: ({ kind, validity }) => (kind === 'GLOBAL' && validity === 'expired' ? accepted : undefined),
    });
    expect(ofGlobal).toHaveLength(1);
    expect(ofGlobal).not.toEqual([inCore]);
  });

  test('names a cause that a check found alike, wherever the check found it', async () => {
    const onSearch = await keysOf({ decisions: [decision('fail')] });
    const onBoth = await keysOf({ decisions: [decision('fail'), { ...decision('fail'), operation: 'chat' }] });
    expect(onSearch).toHaveLength(1);
    expect(onBoth).toEqual(onSearch);
  });
});

describe('a history', () => {
  const run = historyRun(good);

  test('has each run once, the oldest first, and what is judged again in place of what was', () => {
    const [first, second] = [daysLater(run, 1), daysLater(run, 2)];
    const again = { ...first, ending: 'deviates' } as const;
    expect(joinedRuns([second, first], [again])).toEqual([again, second]);
  });

  test('has the last 50 runs', () => {
    const many = Array.from({ length: MOST_RUNS + 7 }, (_, day) => daysLater(run, day));
    expect(joinedRuns(many)).toEqual(many.slice(7));
    expect(numbered(many)[0]).toEqual({ number: 1, run: many.at(-1) });
  });

  test.each<[string, Scenario]>([
    ['decided nothing', { instead: () => reset }],
    ['is a shard', { narrowing: { ...WHOLE, only: ['search/**'], shard: { index: 1, of: 2 } } }],
  ])('does not keep a run that %s', async (_what, scenario) => {
    expect(withRun([run], await reportOf(scenario))).toEqual([run]);
  });

  test('keeps a narrowed run, and says so', async () => {
    const report = await reportOf({ narrowing: { ...WHOLE, only: ['search/**'] } });
    expect(withRun([], report)[0]?.narrowed).toBe('--only search/**');
  });
});
