import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isConfigurationError, writeError } from '../contract/configuration-error.ts';
import { errorCause } from '../contract/error-text.ts';
import { readRegularFile } from '../contract/read-file.ts';
import { writePrivate } from '../record/private-file.ts';
import { forgetEarlierJournal } from '../record/report-folder.ts';
import type { Report } from '../report/report.ts';
import { renderJunit } from './junit.ts';
import { knownRuns, writeHistory } from './keep-history.ts';
import { renderHtml } from './page/page.ts';

/** What the command statement writes about a report. */
const STATEMENT_FILES = ['statement.html', 'statement.json'] as const;

/**
 * Writes report.html, report.json and junit.xml into a folder and returns their paths in this order, and adds the run to
 * history.json. A statement about another report is removed: it would speak for a run whose report is gone.
 * @param print says what happened to a history that cannot be read.
 * @throws a configuration error if a file cannot be written, or is a symbolic link.
 */
export function writeReports(
  folder: string,
  report: Report,
  print: (text: string) => void = () => undefined,
): readonly string[] {
  const { runs, notice } = knownRuns(folder, report);
  if (notice !== undefined) print(notice);
  const json = reportJson(report);
  const isNew = textOf(join(folder, 'report.json')) !== json;
  const files = [
    write(join(folder, 'report.html'), renderHtml(report, runs)),
    write(join(folder, 'report.json'), json),
    writeJunit(folder, report),
  ];
  forgetEarlierJournal(folder);
  writeHistory(folder, runs);
  if (isNew) for (const file of STATEMENT_FILES) rmSync(join(folder, file), { force: true, recursive: true });
  return files;
}

/** Writes junit.xml alone. A pipeline reads it after each run, so it is always that of the last one. */
export function writeJunit(folder: string, report: Report): string {
  return write(join(folder, 'junit.xml'), renderJunit(report));
}

/** How report.json is written. */
export function reportJson(report: Report): string {
  return `${JSON.stringify(report, null, 1)}\n`;
}

function write(file: string, text: string): string {
  try {
    writePrivate(file, text);
    return file;
  } catch (error) {
    if (isConfigurationError(error)) throw error;
    const code = errorCause(error);
    throw writeError(
      `${file} (${code}): once it can be written, write it again from the journal: report ${dirname(file)}`,
    );
  }
}

function textOf(file: string): string | undefined {
  try {
    return readRegularFile(file).toString();
  } catch {
    return undefined;
  }
}
