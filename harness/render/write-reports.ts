import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationError } from '../contract/configuration-error.ts';
import { errorCause } from '../contract/error-text.ts';
import type { Report } from '../report/report.ts';
import { renderJunit } from './junit.ts';
import { renderHtml } from './page/page.ts';

/**
 * Writes report.html, report.json and junit.xml into a folder, and gives their paths in this order.
 * @throws a configuration error when the folder cannot be written.
 */
export function writeReports(folder: string, report: Report): readonly string[] {
  return [
    write(join(folder, 'report.html'), renderHtml(report)),
    write(join(folder, 'report.json'), `${JSON.stringify(report, null, 1)}\n`),
    write(join(folder, 'junit.xml'), renderJunit(report)),
  ];
}

function write(file: string, text: string): string {
  try {
    writeFileSync(file, text);
    return file;
  } catch (error) {
    const code = errorCause(error);
    throw configurationError(`cannot write ${file} (${code}); everything that was decided is in the journal beside it`);
  }
}
