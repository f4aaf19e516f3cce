import { configurationError } from '../contract/configuration-error.ts';
import { errorCause } from '../contract/error-text.ts';
import { readRegularFile } from '../contract/read-file.ts';
import { explain, validatorOf } from '../contract/validator.ts';
import { visibleIn } from '../contract/visible-text.ts';
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
