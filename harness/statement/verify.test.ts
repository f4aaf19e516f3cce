import { describe, expect, test } from 'vitest';
import type { Baseline } from '../judge/baseline.ts';
import type { JournalEntry, RunRecord } from '../record/exchange.ts';
import { suiteVersion } from '../record/suite-version.ts';
import { renderJunit } from '../render/junit.ts';
import { renderHtml } from '../render/page/page.ts';
import { reportJson } from '../render/write-reports.ts';
import { makeReport } from '../report/report.ts';
import { judgeAgain } from '../run/judge-again.ts';
import {
  answer,
  casesAt,
  catalogue,
  planWith,
  rightAnswer,
  runRecord,
  SEARCH_BODY,
  sendAll,
} from '../testing/small-world.ts';
import { hashOf, makeStatement, type Statement, statementJson } from './statement.ts';
import { renderStatement } from './statement-page.ts';
import { outcomeOf } from './terminal-verification.ts';
import { type Received, type Verification, verify } from './verify.ts';

const plan = planWith();
const CHECKS = { isolation: ['user.isolation'], paging: ['search.page-size'] };
const record = runRecord({
  version: suiteVersion,
  tamperings: [...plan.cases.values()].flatMap(({ credential }) => credential?.tampering ?? []),
});
const right = sendAll(plan, ({ values }) => rightAnswer(values), 1);
/** The target accepts expired USER tokens. */
const wrong = sendAll(
  plan,
  ({ values }) =>
    values.validity === 'expired' && values.kind === 'USER' && values.operation === 'search'
      ? answer(200, SEARCH_BODY)
      : rightAnswer(values),
  1,
);
const endAfter = (entries: readonly JournalEntry[]): JournalEntry => ({
  type: 'end',
  interrupted: false,
  entries: entries.length,
});
const ended = (...entries: readonly JournalEntry[]) => [...entries, endAfter(entries)];

/** A journal as it is in a file, and the hash of that file. */
function journalOf(entries: readonly JournalEntry[]) {
  return {
    lines: entries.map((entry, index) => ({ line: index + 1, entry })),
    hash: hashOf(entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')),
  };
}

/** What somebody hands over who changes nothing: report and statement follow from the journal. */
function handedOver(entries: readonly JournalEntry[], baseline?: Baseline): Received {
  const again = judgeAgain(catalogue, entries, { casesAt, baseline });
  const report = makeReport(again, again.judged);
  const { lines, hash } = journalOf(entries);
  const reportText = reportJson(report);
  const hashes = { 'journal.ndjson': hash, 'report.json': hashOf(reportText) };
  const statement = makeStatement(report, hashes);
  return {
    folder: 'received',
    lines,
    reportText,
    hashes,
    found: { statement, text: statementJson(statement) },
    pages: new Map([
      ['report.html', renderHtml(report)],
      ['junit.xml', renderJunit(report)],
      ['statement.html', renderStatement(statement)],
    ]),
  };
}

/** The same folder with another journal, whose hash is repaired. */
function withJournal(received: Received, entries: readonly JournalEntry[]): Received {
  const { lines, hash } = journalOf(entries);
  const hashes = { ...received.hashes, 'journal.ndjson': hash };
  return withStatement({ ...received, lines, hashes }, { files: hashes });
}

/** The same folder with another statement.json. */
function withStatement(received: Received, change: Partial<Statement>): Received {
  const statement = { ...received.found.statement, ...change };
  return { ...received, found: { statement, text: statementJson(statement) } };
}

const known = Object.entries(CHECKS).map(([id, requirements]) => ({ id, requirements, intrusive: false }));
const check = (received: Received): Verification => verify(received, { catalogue, casesAt, checksOf: () => known });
const problemsOf = (received: Received) => check(received).points.flatMap(({ problems }) => problems);

const conforming = handedOver(ended(record, ...right));
const deviating = handedOver(ended(record, ...wrong));

describe('verify', () => {
  test.each([
    ['conforms', conforming, 'conforms'],
    ['deviates', deviating, 'deviates'],
  ])('finds nothing wrong with the statement of a run that %s', (_how, received, ending) => {
    expect(problemsOf(received)).toEqual([]);
    expect(outcomeOf(check(received))).toBe('holds');
    expect(received.found.statement.ending).toBe(ending);
  });

  test('finds nothing wrong with the statement of a run that was killed', () => {
    const killed = handedOver([record, ...right.slice(0, 100)]);
    expect(problemsOf(killed)).toEqual([]);
    expect(killed.found.statement).toMatchObject({ ending: 'inconclusive', stopped: 'the run was killed' });
  });

  test.each<[string, Received, RegExp]>([
    [
      'a verdict in statement.json',
      withStatement(deviating, { ending: 'conforms' }),
      /^statement\.json: line \d+: \/ending is "conforms" and must be "deviates"$/,
    ],
    [
      'a requirement in statement.json',
      withStatement(deviating, {
        requirements: { ...deviating.found.statement.requirements, fail: [] },
      }),
      /^statement\.json: line \d+: \/requirements\/fail\/0 is missing and must be "token\.expired"$/,
    ],
    [
      'a claim in statement.json',
      withStatement(conforming, { claims: { ...conforming.found.statement.claims, kinds: ['USER'] } }),
      /^statement\.json: \/claims\/kinds\/1 is missing and must be "GLOBAL", as in line 1 of journal\.ndjson$/,
    ],
    [
      'the contract in statement.json',
      withStatement(conforming, { contract: '0123456789abcdef' }),
      /^statement\.json: \/contract is "0123456789abcdef" and must be "[0-9a-f]{16}", as in line 1/,
    ],
    [
      'the version in statement.json',
      withStatement(conforming, { suite: '0.0.9' }),
      /^statement\.json: \/suite is "0\.0\.9" and must be/,
    ],
    [
      'a baseline in statement.json',
      withStatement(deviating, { baseline: { today: '2026-11-22', entries: [] } }),
      /^statement\.json: line \d+: \/baseline is \{.*\} and must be null$/,
    ],
    [
      'report.json',
      { ...deviating, reportText: deviating.reportText.replace('"ending": "deviates"', '"ending": "conforms"') },
      /^report\.json: line \d+: \/ending is "conforms" and must be "deviates"$/,
    ],
    [
      'a page',
      { ...deviating, pages: new Map([['statement.html', renderStatement(conforming.found.statement)]]) },
      /^statement\.html: line \d+ is not what the journal gives$/,
    ],
    [
      'the layout of statement.json',
      { ...conforming, found: { ...conforming.found, text: ` ${conforming.found.text}` } },
      /^statement\.json: line 1: is not written as the suite writes it$/,
    ],
    [
      'statement.json into YAML',
      { ...conforming, found: { ...conforming.found, text: '{ suite: 0.1.0 }' } },
      /^statement\.json: line 1: \/ is missing and must be/,
    ],
    [
      'an answer in the journal',
      withJournal(deviating, ended(record, ...right)),
      /^report\.json: line \d+: .* and must be /,
    ],
    [
      'the hash of the journal',
      { ...conforming, hashes: { ...conforming.hashes, 'journal.ndjson': 'c'.repeat(64) } },
      /^journal\.ndjson: its SHA-256 is c{64}, and statement\.json says [0-9a-f]{64}$/,
    ],
  ])('finds that somebody changed %s', (_what, received, problem) => {
    expect(problemsOf(received)).toContainEqual(expect.stringMatching(problem));
    expect(outcomeOf(check(received))).toBe('does not hold');
  });

  test('says how the run ends without its baseline', () => {
    const baseline: Baseline = {
      deviations: [{ requirement: 'token.expired', reason: 'the gateway', review: '2027-01-31' }],
      gaps: [{ cases: '*/GLOBAL/expired/**', reason: 'none can be made', review: '2027-01-31' }],
      today: '2026-11-22',
    };
    const received = handedOver(ended(record, ...wrong), baseline);
    expect(problemsOf(received)).toEqual([]);
    expect(received.found.statement.ending).toBe('conforms-except');
    expect(check(received).withoutBaseline).toBe('deviates');
    expect(check(deviating).withoutBaseline).toBeUndefined();
  });
});

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
    ['with another run in it', ended(record, ...wrong, record), /^journal\.ndjson: line \d+: another run begins here$/],
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
    expect(problem).toMatch(
      /^journal\.ndjson: line \d+: .*USER.* was sent, but the claims, the depth and the variables/,
    );
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
      `journal.ndjson: line 1: the contract is other, and that of suite ${suiteVersion} is ${record.contract}`,
    ]);
  });
});
