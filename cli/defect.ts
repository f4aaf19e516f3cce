import { errorCode } from '../harness/contract/error-text.ts';
import { suiteVersion } from '../harness/record/suite-version.ts';

/** The exit code for a mistake in this program (EX_SOFTWARE of sysexits.h). */
export const DEFECT_EXIT = 70;

/** Our own files in a stack trace, and the names of packages, without the folders of this machine. */
const OWN = /.*\/((?:cli|harness|suites|fixtures|service)\/[\w./-]+:\d+):\d+/;
const PACKAGE = /.*\/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//;
const MOST_PLACES = 5;

/**
 * What to say about an error that nobody foresaw. It shows neither the message of the error, which may quote a token, nor
 * any argument or variable.
 */
export function describeDefect(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const places = lines.flatMap((line) => PACKAGE.exec(line)?.[1] ?? OWN.exec(line)?.[1] ?? []);
  const name = error instanceof Error ? error.constructor.name : typeof error;
  const code = errorCode(error);
  return [
    'defect of the suite',
    '  This is a mistake in client-api-conformance. It says nothing about your target. Please send the lines below to the',
    '  maintainers: privately, as SECURITY.md describes, if a target or a file of somebody else may have caused it, and',
    '  as an issue otherwise. They contain no token, no address and nothing that the target said. A report folder helps',
    '  too, but look through it first.',
    `  version  ${suiteVersion}, Node ${process.version}, ${process.platform}`,
    `  error    ${name}${code === undefined ? '' : ` (${code})`}`,
    `  where    ${[...new Set(places)].slice(0, MOST_PLACES).join(' < ') || 'not in a file of the suite'}`,
  ].join('\n');
}
