import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pc from 'picocolors';
import { errorCause, errorCode } from '../harness/contract/configuration-error.ts';
import { inAscii, visibleIn, visibleLines } from '../harness/contract/visible-text.ts';
import { withNames } from './hide-secrets.ts';

// The only file that writes to standard output and standard error (suites/printing.test.ts), so that no secret goes past it.

export function print(text: string): void {
  process.stdout.write(`${shown(text)}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`${shown(text)}\n`);
}

const shown = (text: string): string => visibleLines(withNames(text));

/** Whether a person watches standard output, and not a file or a job. */
export const isWatched = process.stdout.isTTY === true;

/** Ctrl-C, the end of a job, and a terminal or connection that is closed. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `end` at every signal that ends a program. npm hands on the Ctrl-C that its child got already, and people press it
 * twice: a second signal must not cost the report that the first one asked for.
 * @returns what stops this. Then a signal ends the process again.
 */
export function onEndingSignal(end: () => void): () => void {
  for (const signal of ENDING_SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, end);
  };
}

/** For the progress of a run, which makes its line visible itself: it also moves the cursor. */
export const progressStream = {
  // A dumb terminal clears no line.
  isTTY: process.stderr.isTTY === true && process.env['TERM'] !== 'dumb',
  get columns() {
    return process.stderr.columns;
  },
  write: (text: string) => process.stderr.write(withNames(text)),
};

/** For a run that shows no progress. */
export const noStream = { isTTY: false, write: () => true };

/** For the log of the service: lines of JSON, in which every escape stays JSON. */
export const logStream = {
  write(lines: string): void {
    process.stderr.write(inAscii(lines));
  },
};

/**
 * Keeps a run going whose output cannot be written: a reader such as head may close a pipe early, and a disk may be full.
 * Its exit code and its reports count. What a full disk cuts would look whole, so that is said once, and nothing succeeds.
 * @param exit the exit code of a command that succeeded but for its output.
 */
export function ignoreLostOutput(exit: number): void {
  process.stderr.on('error', () => undefined);
  let said = false;
  process.stdout.on('error', (error) => {
    if (errorCode(error) === 'EPIPE') return;
    if (!said) printError(`cannot write the output (${errorCause(error)}): what was to be read there is not complete`);
    said = true;
  });
  // The command may not have said yet how it ends.
  process.on('exit', (exitCode) => {
    if (!said || exitCode !== 0) return;
    process.exitCode = exit;
    printError(`exit code ${exit}, because the output is not complete`);
  });
}

/** Colours for a terminal that can show them. NO_COLOR turns them off. */
export function colorsFor(
  stream: { readonly isTTY?: boolean } = process.stdout,
  env: NodeJS.ProcessEnv = process.env,
): ReturnType<typeof pc.createColors> {
  return pc.createColors(stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb');
}

/** What `--json` prints. A target or a file may have chosen its texts. */
export function asJson(value: object): string {
  return JSON.stringify(visibleIn(value), null, 1);
}

/** The program that opens an address as its user would, and its first arguments. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a file in the browser of this machine, and does not wait for it. @returns what to say if nothing can open it. */
export async function openFile(file: string): Promise<string | undefined> {
  const [command, ...first] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(command, [...first, pathToFileURL(resolve(file)).href], { detached: true, stdio: 'ignore' });
  const started = await new Promise<boolean>((done) => {
    opener.once('spawn', () => done(true)).once('error', () => done(false));
  });
  opener.unref();
  return started ? undefined : `--open needs ${command}, which this machine does not have: open ${file} yourself`;
}
