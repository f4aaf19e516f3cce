import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configurationError, errorCause, isConfigurationError, writeError } from '../contract/configuration-error.ts';
import { valueAt } from '../contract/json-value.ts';
import { calledAs } from '../contract/package-files.ts';
import { readRegularFile } from '../contract/read-file.ts';
import { shellWord, visible } from '../contract/visible-text.ts';
import { forgetEarlierJournal, HISTORY, refuseLink, writePrivate } from '../record/report-folder.ts';
import { decidesNothing } from '../report/decided-pairs.ts';
import { type HistoryRun, joinedRuns, withRun } from '../report/history.ts';
import { historyJson, readHistory } from '../report/read-reports.ts';
import type { Report } from '../report/report.ts';
import { renderJunit } from './junit.ts';
import { renderHtml } from './page/page.ts';

/** What the command statement writes about a report. */
const STATEMENT_FILES = ['statement.html', 'statement.json'] as const;

/**
 * Whether a run gets reports in a folder. One that decided nothing, because its target was down or it was killed at once,
 * replaces none of another run.
 */
export function replacesReports(folder: string, report: Report): boolean {
  if (!decidesNothing(report)) return true;
  const known = textOf(join(folder, 'report.json'));
  return known === undefined || valueAt(known, '/run') === report.run;
}

/**
 * Writes report.html, report.json and junit.xml into a folder and returns their paths in this order, and adds the run to
 * history.json. A statement about another report is removed: it would speak for a run whose report is gone. A run that decided
 * nothing writes junit.xml alone, and what is returned says so.
 * @param print says what happened to a history that cannot be read.
 * @throws a configuration error if a file cannot be written, or is a symbolic link.
 */
export function writeReports(
  folder: string,
  report: Report,
  print: (text: string) => void = () => undefined,
): readonly string[] {
  if (!replacesReports(folder, report)) {
    writeJunit(folder, report);
    return [`${join(folder, 'report.html')} is still that of the run before: this run decided nothing`];
  }
  const { runs: known, notice } = readOrSetAside(folder);
  if (notice !== undefined) print(notice);
  const runs = withRun(known, report);
  const json = reportJson(report);
  const isNew = textOf(join(folder, 'report.json')) !== json;
  const files = [
    write(join(folder, 'report.html'), renderHtml(report, runs)),
    write(join(folder, 'report.json'), json),
    writeJunit(folder, report),
  ];
  orRefuse(`cannot remove the journal of the earlier run from ${folder}`, () => forgetEarlierJournal(folder));
  writeHistory(folder, runs);
  if (isNew) for (const file of STATEMENT_FILES) rmSync(join(folder, file), { force: true, recursive: true });
  return files;
}

/** Writes junit.xml alone. A pipeline reads it after each run, so it is always that of the last one. */
function writeJunit(folder: string, report: Report): string {
  return write(join(folder, 'junit.xml'), renderJunit(report));
}

export function reportJson(report: Report): string {
  return `${JSON.stringify(report, null, 1)}\n`;
}

/** Writes a file of a report folder, and returns its name. @param again how to write it once there is room. */
export function write(
  file: string,
  text: string,
  again = `write it again from the journal: ${calledAs} report ${shellWord(dirname(file))}`,
): string {
  try {
    writePrivate(file, text);
    return file;
  } catch (error) {
    if (isConfigurationError(error)) throw error;
    throw writeError(`${file} (${errorCause(error)}): once it can be written, ${again}`);
  }
}

function textOf(file: string): string | undefined {
  try {
    return readRegularFile(file).toString();
  } catch {
    return undefined;
  }
}

/** The runs of a report folder, and what must be said about their file. */
interface KnownRuns {
  readonly runs: readonly HistoryRun[];
  /** Undefined if there is nothing to say. */
  readonly notice?: string;
}

/**
 * The runs that the folder remembers. A history that cannot be read is set aside under another name, and the run gets its
 * report all the same.
 * @throws a configuration error if the file is a symbolic link.
 */
export function readOrSetAside(folder: string): KnownRuns {
  refuseLink(join(folder, HISTORY));
  return readOr(folder, () => {
    const aside = freeName(folder);
    orRefuse(`cannot rename ${join(folder, HISTORY)}`, () => renameSync(join(folder, HISTORY), aside));
    return `it is kept as ${visible(aside)}, and a new history begins`;
  });
}

/** @param leave what becomes of a history that cannot be read. */
function readOr(folder: string, leave: () => string): KnownRuns {
  try {
    return { runs: readHistory(folder) };
  } catch (error) {
    if (!isConfigurationError(error)) throw error;
    return { runs: [], notice: `${error.message}; ${leave()}` };
  }
}

function freeName(folder: string): string {
  const nameOf = (number: number) => join(folder, `history.unreadable${number === 1 ? '' : `-${number}`}.json`);
  let number = 1;
  while (existsSync(nameOf(number))) number += 1;
  return nameOf(number);
}

/**
 * Writes the runs of a report folder. A reader finds the old file or the new one, and never a part of one.
 * @throws a configuration error if the file cannot be written, or is a symbolic link.
 */
export function writeHistory(folder: string, runs: readonly HistoryRun[]): void {
  const file = join(folder, HISTORY);
  if (runs.length > 0) orRefuse(`cannot write ${file}`, () => writePrivate(file, historyJson(runs)));
}

function orRefuse(what: string, attempt: () => void): void {
  try {
    attempt();
  } catch (error) {
    if (isConfigurationError(error)) throw error;
    throw configurationError(`${what} (${errorCause(error)}); the report and the journal are in the same folder`);
  }
}

/** Adds what other report folders remember to one that is about to get a report. @returns the histories that cannot be read. */
export function carryHistory(folders: readonly string[], out: string): readonly string[] {
  const own = readOrSetAside(out);
  const found = folders.map((folder) => readOr(folder, () => 'its runs are left out'));
  writeHistory(out, joinedRuns(...found.map(({ runs }) => runs), own.runs));
  return [own, ...found].flatMap(({ notice }) => notice ?? []);
}
