import { statSync } from 'node:fs';
import { join } from 'node:path';
import { configurationError } from '../contract/configuration-error.ts';
import { errorCause } from '../contract/error-text.ts';
import { readRegularFile } from '../contract/read-file.ts';
import { explain, validatorOf } from '../contract/validator.ts';
import type { ComparedReport } from './decided-pairs.ts';

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
