import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configurationError, errorCause } from '../contract/configuration-error.ts';
import { calledAs } from '../contract/package-files.ts';
import { readRegularFile } from '../contract/read-file.ts';
import { explain } from '../contract/schema-errors.ts';
import { validatorOf } from '../contract/validator.ts';
import { shellWord, visibleIn } from '../contract/visible-text.ts';
import { HISTORY } from '../record/report-folder.ts';
import type { ComparedReport } from './decided-pairs.ts';
import { type HistoryRun, joinedRuns, MOST_RUNS } from './history.ts';
import type { Report } from './report.ts';

/** A file that may come from somebody else. @throws a configuration error with the hint if it cannot be read. */
export function bytesOf(file: string, hint: string, longest?: number): Buffer {
  try {
    return readRegularFile(file, longest);
  } catch (error) {
    throw configurationError(`cannot read ${file} (${errorCause(error)}); ${hint}`);
  }
}

/** What a JSON file should hold, in error messages. */
interface Form {
  readonly schema: string;
  readonly what: string;
  /** What follows where the file is not JSON, and where it is JSON of another form. */
  readonly notJson: string;
  readonly notValid: string;
}

/** @throws a configuration error if the text is not JSON, or not of this form. */
function jsonIn<T>(file: string, text: string, { schema, what, notJson, notValid }: Form): T {
  let value: unknown;
  try {
    // An editor of Windows may have put a byte order mark before it (RFC 8259 8.1). It counts as a blank here.
    value = JSON.parse(text.trim());
  } catch {
    throw configurationError(`${file} is not JSON${notJson}`);
  }
  const validate = validatorOf<T>(schema);
  if (validate(value)) return value;
  const [error] = validate.errors ?? [];
  throw configurationError(`${file} is not ${what}${error ? `: ${explain(error)}` : ''}${notValid}`);
}

/** Reads a whole report.json, and makes every text in it visible. @throws a configuration error if it is none of this version. */
export function readWholeReport(file: string): Report {
  const hint = 'a run writes it into its report folder, which --report-dir names';
  return wholeReportIn(file, bytesOf(file, hint).toString());
}

/** The report in the text of a report.json. @throws a configuration error if it is none of this version of the suite. */
export function wholeReportIn(file: string, text: string): Report {
  const again = `; write it again: ${calledAs} report ${shellWord(dirname(file))}`;
  return visibleIn<Report>(
    jsonIn<Report>(file, text, { schema: 'report', what: 'a report of this version', notJson: again, notValid: again }),
  );
}

const ANY = '; name a report.json of this suite';
const COMPARED: Form = { schema: 'compared-report', what: 'a report', notJson: ANY, notValid: ANY };

/** What a comparison needs of the report.json that a path or its folder names. @throws a configuration error if it is no report. */
export function readReport(path: string): ComparedReport {
  const file = reportFileAt(path);
  return jsonIn(file, bytesOf(file, 'a run writes report.json into its report folder').toString(), COMPARED);
}

/** The report.json that a path names, or the one in the report folder that it names. */
export function reportFileAt(path: string): string {
  return existsSync(`${path}/.`) ? join(path, 'report.json') : path;
}

const REMEMBERED: Form = {
  schema: 'history',
  what: 'a history of runs',
  notJson: ', and no history of runs',
  notValid: '',
};
/** In bytes: 50 runs with every claim and many causes have a tenth of it. */
const LONGEST = 8 * 1024 * 1024;

interface History {
  readonly historyVersion: 1;
  /** The oldest first. */
  readonly runs: readonly HistoryRun[];
}

/** The runs that a report folder remembers, the oldest first. @throws a configuration error if its history is none of this suite. */
export function readHistory(folder: string): readonly HistoryRun[] {
  const file = join(folder, HISTORY);
  if (!existsSync(file)) return [];
  const text = bytesOf(file, `a run keeps the facts of the last ${MOST_RUNS} runs there`, LONGEST).toString();
  return joinedRuns(jsonIn<History>(file, text, REMEMBERED).runs);
}

/** How history.json is written: a line for each run. */
export function historyJson(runs: readonly HistoryRun[]): string {
  return `{"historyVersion":1,"runs":[\n${runs.map((run) => JSON.stringify(run)).join(',\n')}\n]}\n`;
}
