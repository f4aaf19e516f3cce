import { join } from 'node:path';
import { configurationError, isConfigurationError } from '../contract/configuration-error.ts';
import { errorCause } from '../contract/error-text.ts';
import { writePrivate } from '../record/private-file.ts';
import type { Report } from '../report/report.ts';
import { renderJunit } from './junit.ts';
import { renderHtml } from './page/page.ts';

/**
 * Writes report.html, report.json and junit.xml into a folder and returns their paths in this order.
 * @throws a configuration error if a file cannot be written, or is a symbolic link.
 */
export function writeReports(folder: string, report: Report): readonly string[] {
  return [
    write(join(folder, 'report.html'), renderHtml(report)),
    write(join(folder, 'report.json'), reportJson(report)),
    write(join(folder, 'junit.xml'), renderJunit(report)),
  ];
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
    throw configurationError(`cannot write ${file} (${code}); the journal in the same folder has all results`);
  }
}
