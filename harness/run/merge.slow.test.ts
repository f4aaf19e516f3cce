import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import { narrow } from '../plan/narrow.ts';
import { WHOLE } from '../plan/narrowing.ts';
import { entriesOf, type JournalEntry, type RunRecord } from '../record/exchange.ts';
import { durationOf } from '../report/latency.ts';
import {
  answer,
  casesAt,
  catalogue,
  contract,
  planWith,
  reset,
  rightAnswer,
  runRecord,
  SEARCH_BODY,
  sendAll,
  settingsWith,
} from '../testing/small-world.ts';
import { judgeAgain } from './judge-again.ts';
import { mergeJournals } from './merge.ts';

const plan = planWith();
const checks = { isolation: ['user.isolation'], paging: ['search.page-size'], fuzz: ['token.unknown'] };
const heads = Object.entries(checks).map(([id, requirements]) => ({ id, requirements }));
const end: JournalEntry = { type: 'end', interrupted: false };
const OF = 4;

const record = (change: Partial<RunRecord> = {}) => runRecord({ narrowing: WHOLE, checks, ...change });

type Target = (values: Values) => ReturnType<typeof rightAnswer> | typeof reset | undefined;
/** The journal of a run against a target, or of one of its shards. */
function journalOf(target: Target, index?: number, change: Partial<RunRecord> = {}): JournalEntry[] {
  const narrowing = index === undefined ? WHOLE : { ...WHOLE, shard: { index, of: OF } };
  const part = narrow(contract, plan, heads, narrowing);
  const decisions = part.checks.flatMap(({ id, requirements }): JournalEntry[] =>
    requirements.map((requirement) => ({
      type: 'decision',
      steps: [],
      check: id,
      requirement,
      operation: 'search',
      kind: 'USER',
      verdict: 'pass',
      detail: '',
    })),
  );
  const sent = sendAll(part.plan, ({ values }) => target(values) ?? rightAnswer(values));
  return [record({ narrowing, ...change }), ...sent, ...decisions, end];
}
const shards = (target: Target) =>
  Array.from({ length: OF }, (_, index) => ({ folder: `shard-${index + 1}`, entries: journalOf(target, index + 1) }));
/** What a shard left on the target. */
const left = (id: string): JournalEntry => ({ type: 'created', what: 'client', check: 'isolation', id });
const judged = (entries: readonly JournalEntry[]) => {
  const { judged } = judgeAgain(catalogue, entries, { casesAt });
  return {
    ending: judged.ending,
    cases: judged.verdicts.map(({ case: { id }, verdict, reason, miss }) => [id, verdict, reason, miss?.got]),
    requirements: judged.requirements.map(({ requirement, verdict }) => [requirement.id, verdict]),
    findings: judged.findings.map(({ id, verdict, places, cases }) => [id, verdict, places, cases.length]),
  };
};

describe('the merged shards of a run', () => {
  test.each<[string, Target, string]>([
    ['conforms', () => undefined, 'conforms'],
    [
      'accepts expired tokens',
      ({ kind, validity, operation }) =>
        kind === 'USER' && validity === 'expired' ? answer(200, SEARCH_BODY, undefined, operation) : undefined,
      'deviates',
    ],
    [
      'refuses the control of many cases',
      ({ kind, validity, holding, operation }) =>
        kind === 'GLOBAL' && validity === 'valid' && holding === 'all' && operation === 'chat'
          ? answer(403)
          : undefined,
      'deviates',
    ],
    ['never accepts one kind of token', ({ kind }) => (kind === 'OKTA' ? answer(401) : undefined), 'inconclusive'],
    ['resets foreign tokens', ({ validity }) => (validity === 'foreign' ? reset : undefined), 'inconclusive'],
  ])('have the result of a single run against a target that %s', (_what, target, ending) => {
    const { entries, missing } = mergeJournals(catalogue, shards(target).reverse(), casesAt);
    const merged = judged(entries);
    expect(missing).toEqual([]);
    expect(merged.ending).toBe(ending);
    expect(merged).toEqual(judged(journalOf(target)));
  });

  test('keeps what each shard left on the target', () => {
    const found = shards(() => undefined).map(({ folder, entries }) => ({
      folder,
      entries: [...entries, left(folder)],
    }));
    const { entries } = mergeJournals(catalogue, found, casesAt);
    expect(entries.filter(({ type }) => type === 'created')).toEqual(found.map(({ folder }) => left(folder)));
  });

  test('number the steps of their decisions, and the command lines of these, as their exchanges', () => {
    const found = shards(() => undefined).map(({ folder, entries }) => {
      const last = entriesOf(entries, 'exchange').at(-1);
      const named = last && { steps: [last.seq], broke: last.seq, commands: { [last.seq]: last.case } };
      return { folder, entries: entries.map((one) => (one.type === 'decision' ? { ...one, ...named } : one)) };
    });
    const { entries } = mergeJournals(catalogue, found, casesAt);
    const caseOf = new Map(entriesOf(entries, 'exchange').map(({ seq, case: id }) => [seq, id]));
    const decided = entriesOf(entries, 'decision').map(({ steps, broke, commands }) => ({ steps, broke, commands }));
    expect(decided).toEqual(
      decided.map(({ broke = 0 }) => ({ steps: [broke], broke, commands: { [broke]: caseOf.get(broke) } })),
    );
  });

  test('have the id of the run, start with the earliest shard, and have unique ordinals', () => {
    const [a, b, c, d] = shards(() => undefined);
    if (!a || !b || !c || !d) throw new Error('four shards');
    const early = { folder: 'x', entries: journalOf(() => undefined, 2, { startedAt: '2026-11-20T00:00:00Z' }) };
    const { entries } = mergeJournals(catalogue, [a, early, c, d], casesAt);
    expect(entries[0]).toMatchObject({
      run: 'one',
      startedAt: '2026-11-20T00:00:00Z',
      narrowing: WHOLE,
    });
    const numbers = entries.flatMap((entry) => (entry.type === 'exchange' ? [entry.seq] : []));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('last from the start of the first shard to the last answer of any', () => {
    const timed = (index: number, startedAt: string, at: number) => ({
      folder: `${index}`,
      entries: journalOf(() => undefined, index, { startedAt }).map((entry) =>
        entry.type === 'exchange' ? { ...entry, at } : entry,
      ),
    });
    const [, , c, d] = shards(() => undefined);
    if (!c || !d) throw new Error('four shards');
    const found = [timed(1, '2026-11-20T00:00:30Z', 5_000), timed(2, '2026-11-20T00:00:00Z', 8_000), c, d];
    const late = found.map((shard) => ({
      ...shard,
      entries: shard.entries.map((entry) =>
        entry.type === 'run' && shard !== found[0] ? { ...entry, startedAt: '2026-11-20T00:00:00Z' } : entry,
      ),
    }));
    const { entries } = mergeJournals(catalogue, late, casesAt);
    expect(durationOf(entriesOf(entries, 'exchange'))).toBe(35_000);
  });

  test('never conform if one is missing, and say what it would have sent', () => {
    const { entries, missing } = mergeJournals(catalogue, shards(() => undefined).slice(1), casesAt);
    const { judged } = judgeAgain(catalogue, entries, { casesAt });
    expect(missing).toEqual([
      expect.stringMatching(/^shard 1 of 4 is missing: [\d,]+ cases in \d+ groups \(.*, \d+ more\)/),
    ]);
    expect([judged.ending, judged.stopped]).toEqual(['inconclusive', 'shard 1 of 4 is missing']);
    const undecided = judged.verdicts.filter(({ verdict }) => verdict === 'inconclusive');
    // A refusal also proves nothing if only the missing shard has a request that must be accepted with its token.
    const others = undecided.filter(({ reason }) => reason !== 'not sent: shard 1 of 4 is missing');
    expect(others.filter(({ reason }) => !/^no request with .* was accepted/.test(reason ?? ''))).toEqual([]);
    expect(undecided.length - others.length).toBeGreaterThan(20);
  });

  test('leave the requirements undecided that the checks of a missing shard would have decided', () => {
    const all = shards(() => undefined);
    const without = all.filter(
      ({ entries }) => !entries.some((entry) => entry.type === 'decision' && entry.check === 'isolation'),
    );
    const { entries } = mergeJournals(catalogue, without, casesAt);
    const { requirements } = judgeAgain(catalogue, entries, { casesAt }).judged;
    const found = requirements.find(({ requirement }) => requirement.id === 'user.isolation');
    expect([without.length, found?.verdict]).toEqual([3, 'inconclusive']);
  });

  test.each<[string, JournalEntry[], string]>([
    ['killed', [], 'shard 1 of 4 was killed'],
    ['interrupted', [{ type: 'end', interrupted: true }], 'shard 1 of 4 was stopped: interrupted'],
    ['stopped', [{ type: 'end', interrupted: false, stopped: 'gone' }], 'shard 1 of 4 was stopped: gone'],
  ])('never conform if one was %s', (_how, ending, stopped) => {
    const [first, ...others] = shards(() => undefined);
    const cut = { folder: 'a', entries: [...(first?.entries.slice(0, 30) ?? []), ...ending] };
    const { entries, missing } = mergeJournals(catalogue, [cut, ...others], casesAt);
    const { judged } = judgeAgain(catalogue, entries, { casesAt });
    expect([judged.ending, judged.stopped]).toEqual(['inconclusive', stopped]);
    expect(missing).toHaveLength(1);
  });

  test('are partial if the run was narrowed further', () => {
    const narrowing = (index: number) => ({ ...WHOLE, only: ['search/**', 'fuzz'], shard: { index, of: 1 } });
    const entries = [record({ narrowing: narrowing(1) }), ...sendAll(plan, ({ values }) => rightAnswer(values)), end];
    expect(judged(mergeJournals(catalogue, [{ folder: 'a', entries }], casesAt).entries).ending).toBe('partial');
  });
});

describe('a merge', () => {
  const [first] = shards(() => undefined);
  const other = (change: Partial<RunRecord>, index = 2) => ({
    folder: 'other',
    entries: journalOf(() => undefined, index, change),
  });
  const merge = (...more: { folder: string; entries: readonly JournalEntry[] }[]) =>
    mergeJournals(catalogue, [...(first ? [first] : []), ...more], casesAt);

  test.each<[string, Partial<RunRecord>, string]>([
    ['another run', { run: 'another' }, 'run: one and another'],
    ['another target', { target: 'https://other.example' }, 'target: https://target.example and https://other.example'],
    ['another depth', { depth: 'full' }, 'depth: core and full'],
    ['other claims', { claims: settingsWith({ CONFORMANCE_CLAIMS: 'user' }).claims }, 'claims: '],
    ['another version', { version: '0.0.1' }, 'version of the suite: 0.0.0 and 0.0.1'],
    ['another number of shards', { narrowing: { ...WHOLE, shard: { index: 2, of: 5 } } }, 'number of shards: 4 and 5'],
    [
      'other globs',
      { narrowing: { ...WHOLE, only: ['chat/**'], shard: { index: 2, of: 4 } } },
      'narrowing: none and --only chat/**',
    ],
    [
      'many other globs',
      { narrowing: { ...WHOLE, only: [...'abcdefghijklmnopqrst'], shard: { index: 2, of: 4 } } },
      'only the second has --only a, --only b,',
    ],
    ['other variables', { variables: { USER_TOKEN: 'flag' } }, 'only the second has nothing'],
    ['other tokens', { minted: { 'USER valid all': { failed: 'code 3' } } }, 'none and USER/valid/all:failed'],
    ['other checks', { checks: {} }, 'checks: isolation paging fuzz and none'],
  ])('is refused for shards with %s', (_what, change, message) => {
    expect(() => merge(other(change))).toThrow(`shard-1 and other are not shards of one run`);
    expect(() => merge(other(change))).toThrow(message);
  });

  test('is refused for one shard twice, a whole run, another contract, and no journal', () => {
    expect(() => merge(other({}, 1))).toThrow('shard-1 and other both hold shard 1 of 4');
    expect(() => merge({ folder: 'whole', entries: journalOf(() => undefined) })).toThrow(
      /whole holds a run without --shard/,
    );
    expect(() => merge(other({ contract: 'x' }))).toThrow(/the journal in other was recorded under contract x/);
    expect(() => mergeJournals(catalogue, [], casesAt)).toThrow(/nothing to merge/);
  });

  test('accepts shards of different speed', () => {
    const variables = { ...record().variables, CONFORMANCE_RATE: 'flag' };
    expect(merge(other({ variables })).missing).toHaveLength(2);
  });

  test('accepts shards of the embedded service, which has another port for each shard', () => {
    const trusted = (index: number) => ({
      folder: `${index}`,
      entries: journalOf(() => undefined, index, { trusted: true, target: `http://127.0.0.1:${index}` }),
    });
    expect(mergeJournals(catalogue, [1, 2, 3, 4].map(trusted), casesAt).missing).toEqual([]);
  });
});
