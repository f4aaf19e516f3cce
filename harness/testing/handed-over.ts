import type { Baseline } from '../judge/baseline.ts';
import type { JournalEntry } from '../record/exchange.ts';
import { suiteVersion } from '../record/journal.ts';
import { renderJunit } from '../render/junit.ts';
import { renderHtml } from '../render/page/page.ts';
import { reportJson } from '../render/write-reports.ts';
import { historyRun } from '../report/history.ts';
import { makeReport } from '../report/report.ts';
import { judgeAgain } from '../run/judge-again.ts';
import { hashOf, makeStatement, type Statement, statementJson } from '../statement/statement.ts';
import { renderStatement } from '../statement/statement-page.ts';
import { type Received, type Verification, verify } from '../statement/verify.ts';
import {
  answer,
  casesAt,
  catalogue,
  planWith,
  rightAnswer,
  runRecord,
  SEARCH_BODY,
  sendAll,
  settingsWith,
} from './small-world.ts';

/** Every test judges the run again and renders its report twice, so the run claims few kinds. */
const few = { CONFORMANCE_CLAIMS: 'user global scopes' };
const plan = planWith(few);
export const CHECKS = { isolation: ['user.isolation'], paging: ['search.page-size'] };
export const record = runRecord({
  version: suiteVersion,
  claims: settingsWith(few).claims,
  tamperings: [...plan.cases.values()].flatMap(({ credential }) => credential?.tampering ?? []),
});
export const right = sendAll(plan, ({ values }) => rightAnswer(values), 1);
/** The target accepts expired USER tokens. */
export const wrong = sendAll(
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
export const ended = (...entries: readonly JournalEntry[]) => [...entries, endAfter(entries)];

/** A journal as it is in a file, and the hash of that file. */
function journalOf(entries: readonly JournalEntry[]) {
  return {
    lines: entries.map((entry, index) => ({ line: index + 1, entry })),
    hash: hashOf(entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')),
  };
}

/** What somebody hands over who changes nothing: report and statement follow from the journal. */
export function handedOver(entries: readonly JournalEntry[], baseline?: Baseline): Received {
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
    history: [JSON.parse(JSON.stringify(historyRun(report)))],
    pages: new Map([
      ['report.html', renderHtml(report)],
      ['junit.xml', renderJunit(report)],
      ['statement.html', renderStatement(statement)],
    ]),
  };
}

/** The same folder with another journal, whose hash is repaired. */
export function withJournal(received: Received, entries: readonly JournalEntry[]): Received {
  const { lines, hash } = journalOf(entries);
  const hashes = { ...received.hashes, 'journal.ndjson': hash };
  return withStatement({ ...received, lines, hashes }, { files: hashes });
}

/** The same folder with another statement.json. */
export function withStatement(received: Received, change: Partial<Statement>): Received {
  const statement = { ...received.found.statement, ...change };
  return { ...received, found: { statement, text: statementJson(statement) } };
}

/** The checks that these runs must have. */
export const checksOf = () => known;
const known = Object.entries(CHECKS).map(([id, requirements]) => ({ id, requirements, intrusive: false }));
export const check = (received: Received, checks = checksOf): Verification =>
  verify(received, { catalogue, casesAt, checksOf: checks });
export const problemsOf = (received: Received) => check(received).points.flatMap(({ problems }) => problems);

export const conforming = handedOver(ended(record, ...right));
export const deviating = handedOver(ended(record, ...wrong));
