import { statSync } from 'node:fs';
import { join } from 'node:path';
import { configurationError, errorCause } from '../contract/configuration-error.ts';
import { readRegularFile } from '../contract/read-file.ts';
import { explain, validatorOf } from '../contract/validator.ts';
import { visibleIn } from '../contract/visible-text.ts';
import type { ComparedReport } from './decided-pairs.ts';
import type { Report } from './report.ts';

/**
 * Reads a report.json with everything in it. It may come from somebody else: every text in it is made visible.
 * @throws a configuration error if the file cannot be read, or is not a report of this version of the suite.
 */
export function readWholeReport(file: string): Report {
  return wholeReportIn(file, textOf(file));
}

/**
 * The report in the text of a report.json.
 * @param file its name in error messages.
 * @throws a configuration error if it is not a report of this version of the suite.
 */
export function wholeReportIn(file: string, text: string): Report {
  const validate = validatorOf<Report>('report');
  const value = parsed(file, text);
  if (validate(value)) return visibleIn<Report>(value);
  const [error] = validate.errors ?? [];
  throw configurationError(
    `${file} is not a report of this version${error ? `: ${explain(error)}` : ''}; write it again with the command report`,
  );
}

function textOf(file: string): string {
  try {
    return readRegularFile(file).toString();
  } catch (error) {
    throw configurationError(
      `cannot read ${file} (${errorCause(error)}); a run writes it into its report folder, which --report-dir names`,
    );
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw configurationError(`${file} is not JSON; write it again with the command report`);
  }
}

/**
 * Reads the fields of a report.json that a comparison needs.
 * @param path the file, or the report folder that it is in.
 * @throws a configuration error if the file cannot be read or is no report.
 */
export function readReport(path: string): ComparedReport {
  const file = reportFileAt(path);
  let report: unknown;
  try {
    report = JSON.parse(readRegularFile(file).toString());
  } catch (error) {
    if (error instanceof SyntaxError) throw configurationError(`${file} is not JSON; name a report.json of this suite`);
    throw configurationError(
      `cannot read ${file} (${errorCause(error)}); a run writes report.json into its report folder`,
    );
  }
  const validate = validatorOf<ComparedReport>('compared-report');
  if (validate(report)) return report;
  const [error] = validate.errors ?? [];
  throw configurationError(
    `${file} is not a report${error ? `: ${explain(error)}` : ''}; name a report.json of this suite`,
  );
}

/** The report.json that a path names, or the one in the report folder that it names. */
export function reportFileAt(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'report.json') : path;
}
