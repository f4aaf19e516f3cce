import { configurationError } from '../contract/configuration-error.ts';
import { parsedJson } from '../contract/json-value.ts';
import { visible } from '../contract/visible-text.ts';
import { endingLine } from '../judge/ending.ts';
import type { RunRecord } from '../record/exchange.ts';
import { suiteVersion } from '../record/journal.ts';
import { renderJunit } from '../render/junit.ts';
import { renderHtml } from '../render/page/page.ts';
import { hasTrend } from '../render/page/trend.ts';
import { type HistoryRun, historyRun, withRun } from '../report/history.ts';
import { wholeReportIn } from '../report/read-reports.ts';
import type { Report } from '../report/report.ts';
import { checksPoint, journalPoint, type KnownCheck, type Point, planPoint, pointOf } from './point.ts';
import { type FoundStatement, type Judge, judgeFolder, type RunFolder } from './read-folder.ts';
import { makeStatement, type Statement, statementJson } from './statement.ts';
import { renderStatement } from './statement-page.ts';

/** The pages of a report folder, which verify compares if they are there. */
export const PAGES = ['report.html', 'junit.xml', 'statement.html'] as const;

/** What somebody received. */
export interface Received extends RunFolder {
  readonly found: FoundStatement;
  /** The texts of those pages that are there, by their names. */
  readonly pages: ReadonlyMap<string, string>;
  /** What history.json says of earlier runs. Nobody can check it; report.html has a trend of it. */
  readonly history?: readonly HistoryRun[];
}
interface Verifying extends Judge {
  /** The checks of this suite for the claims of a run. */
  checksOf(record: RunRecord): readonly KnownCheck[];
}
export interface Verification {
  readonly points: readonly Point[];
  /** How the run ends without its baseline. Undefined if it has none, or could not be judged again. */
  readonly withoutBaseline?: string;
}

/** Checks a statement beside the journal and the report that it rests on. Pure. @throws a configuration error if these are none. */
export function verify(received: Received, verifying: Verifying): Verification {
  const { contract } = verifying.catalogue;
  const record = recordIn(received);
  const points = [
    hashesPoint(received),
    recordPoint(received.found.statement, record),
    suitePoint(record, contract.digest),
    journalPoint(received.lines),
  ];
  if (record.version !== suiteVersion || record.contract !== contract.digest) return { points };
  return judged(received, verifying, points);
}

function recordIn({ lines, folder }: Received): RunRecord {
  const [first] = lines;
  if (first?.entry.type === 'run') return first.entry;
  throw configurationError(`${folder}/journal.ndjson: line 1: a journal begins with a run; name a report folder`);
}

function hashesPoint({ hashes, found: { statement } }: Received): Point {
  const problems = Object.entries(hashes).flatMap(([name, hash]) => {
    const stated = Object.entries(statement.files).find(([file]) => file === name)?.[1];
    return stated === hash ? [] : [`${name}: its SHA-256 is ${hash}, and statement.json says ${stated}`];
  });
  return pointOf('journal.ndjson and report.json have the SHA-256 that statement.json says', problems);
}

/** What the statement says of the run, beside the first line of the journal. */
function recordPoint(
  statement: Statement,
  { version, contract, run, startedAt, target, depth, claims }: RunRecord,
): Point {
  const recorded = { suite: version, contract, run: visible(run), startedAt, target: visible(target), depth, claims };
  const stated = Object.fromEntries(Object.entries(statement).filter(([key]) => key in recorded));
  const difference = firstDifference(stated, recorded);
  return pointOf(
    'suite, contract, run, target, depth and claims in statement.json are those of the journal',
    difference ? [`statement.json: ${differenceInWords(difference)}, as in line 1 of journal.ndjson`] : [],
  );
}

/** Whether this suite can judge the journal again: only the version that recorded it, which has one contract. */
function suitePoint({ version, contract }: RunRecord, digest: string): Point {
  const text = `recorded by this version of the suite, ${suiteVersion}, under its contract, ${digest}`;
  if (version !== suiteVersion)
    return {
      state: 'unknown',
      text,
      problems: [`recorded by suite ${version}, and this is ${suiteVersion}; verify the folder with suite ${version}`],
    };
  const other = `journal.ndjson: line 1: the contract is ${contract}, and this is ${digest}; name its file with --contract if it is one of your own`;
  return pointOf(text, contract === digest ? [] : [other]);
}

function judged(received: Received, verifying: Verifying, before: readonly Point[]): Verification {
  const { lines, reportText, folder, found, pages, history = [] } = received;
  const { baseline } = wholeReportIn(`${folder}/report.json`, reportText);
  const { again, report, text } = judgeFolder(verifying, received, baseline);
  // hashesPoint compares the hashes.
  const statement = makeStatement(report, found.statement.files);
  const { record, plan, judged: run } = again;
  const runs = withRun(history, report);
  const wantedPages: Readonly<Record<(typeof PAGES)[number], () => string>> = {
    'report.html': () => renderHtml(report, runs),
    'junit.xml': () => renderJunit(report),
    'statement.html': () => renderStatement(statement),
  };
  const unchecked =
    pages.has('report.html') && hasTrend(report, runs)
      ? '; nobody can check the other runs in history.json, of which report.html has a trend'
      : '';
  const ofPages = PAGES.flatMap((name) => {
    const page = pages.get(name);
    return page === undefined ? [] : problemsWith(name, page, wantedPages[name]());
  });
  const points = [
    ...before,
    planPoint({ lines, plan, stopped: run.stopped }),
    checksPoint(record, verifying.checksOf(record)),
    pointOf('the journal, judged again, gives report.json', problemsWith('report.json', reportText, text)),
    pointOf(
      'the journal, judged again, gives statement.json',
      problemsWith('statement.json', found.text, statementJson(statement)),
    ),
    pointOf(
      pages.size === 0
        ? 'there is no page beside them'
        : `the pages say the same: ${[...pages.keys()].join(', ')}${unchecked}`,
      ofPages,
    ),
    ...historyPoints(history, report),
  ];
  if (baseline === null) return { points };
  const bare = judgeFolder(verifying, received, null).again;
  return { points, withoutBaseline: endingLine(bare.judged, record.claims, verifying.catalogue.contract) };
}

/** What history.json says of this run, if it remembers it. */
function historyPoints(history: readonly HistoryRun[], report: Report): readonly Point[] {
  const found = history.find(({ run }) => run === report.run);
  if (!found) return [];
  const difference = firstDifference(found, parsedJson(JSON.stringify(historyRun(report))));
  const problems = difference ? [`history.json: in run ${visible(report.run)}, ${differenceInWords(difference)}`] : [];
  return [pointOf('history.json says of this run what the journal gives', problems)];
}

/** Where a file is not what the journal gives. */
function problemsWith(name: string, found: string, wanted: string): string[] {
  if (found === wanted) return [];
  const at = `${name}: line ${lineOfDifference(found, wanted)}`;
  if (!name.endsWith('.json')) return [`${at} is not what the journal gives`];
  // The reader of statement.json also takes what is YAML and no JSON.
  const difference = firstDifference(parsedJson(found), parsedJson(wanted));
  return [`${at}: ${difference ? differenceInWords(difference) : 'is not written as the suite writes it'}`];
}

/** Where two values differ, as a JSON pointer (RFC 6901), and what is there. */
interface Difference {
  readonly at: string;
  readonly found: unknown;
  readonly wanted: unknown;
}

/** The first place in which a value is not what is wanted. Undefined if they are the same. */
function firstDifference(found: unknown, wanted: unknown, at = ''): Difference | undefined {
  if (Object.is(found, wanted)) return undefined;
  if (!isNested(found) || !isNested(wanted) || Array.isArray(found) !== Array.isArray(wanted))
    return { at, found, wanted };
  const keys = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  for (const key of keys) {
    const step = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const difference = firstDifference(valueAt(found, key), valueAt(wanted, key), step);
    if (difference) return difference;
  }
  return undefined;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function valueAt(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? Object(value)[key] : undefined;
}

/** A difference in one line: `/ending is "conforms" and must be "deviates"`. */
function differenceInWords({ at, found, wanted }: Difference): string {
  const place = at || '/';
  if (wanted === undefined) return `${place} is ${shown(found)} and must not be there`;
  return `${place} is ${found === undefined ? 'missing' : shown(found)} and must be ${shown(wanted)}`;
}

const MOST_CHARACTERS = 120;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}

/** The number of the first line in which two texts differ. */
function lineOfDifference(found: string, wanted: string): number {
  const lines = wanted.split('\n');
  const index = found.split('\n').findIndex((line, at) => line !== lines[at]);
  return (index === -1 ? found.split('\n').length : index) + 1;
}
