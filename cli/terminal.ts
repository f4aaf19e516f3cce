import { visibleLines } from '../harness/contract/visible-text.ts';

// The only file that writes to standard output and standard error (suites/printing.test.ts).

export function print(text: string): void {
  process.stdout.write(`${visibleLines(text)}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`${visibleLines(text)}\n`);
}

/** Whether a person watches standard output, and not a file or a job. */
export const isWatched = process.stdout.isTTY === true;

/** For the progress of a run, which makes its line visible itself: it also moves the cursor. */
export const progressStream = {
  isTTY: process.stderr.isTTY === true,
  write: (text: string) => process.stderr.write(text),
};

/** For a run that shows no progress. */
export const noStream = { isTTY: false, write: () => true };

/** For the log of the service: lines of JSON, in which every escape stays JSON. */
export const logStream = {
  write(lines: string): void {
    process.stderr.write(
      lines.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    );
  },
};

/**
 * Keeps a run going whose output cannot be written: a reader such as head may close a pipe early, and a disk may be full.
 * Its exit code and its reports count.
 */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
