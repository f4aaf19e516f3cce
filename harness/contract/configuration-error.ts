import leven from 'leven';
import { visible } from './visible-text.ts';

const CONFIGURATION_ERROR = 'ConfigurationError';

/** A mistake of the operator, which ends a run with exit code 2. @param problems one line each. They become visible. */
export function configurationError(problems: string | readonly string[]): Error {
  const lines = typeof problems === 'string' ? [problems] : problems;
  const error = new Error(lines.map(visible).join('\n'));
  error.name = CONFIGURATION_ERROR;
  return error;
}

/** A file that cannot be written, as on a full disk. It ends a run like a mistake of the operator, and is called what it is. */
export function writeError(problem: string): Error {
  return Object.assign(configurationError(problem), { cause: UNWRITABLE });
}
const UNWRITABLE = 'unwritable';

/** What an error of the operator is called above its problems. */
export function headingOf({ cause }: Error): string {
  return cause === UNWRITABLE ? 'cannot write' : 'configuration error';
}

export function isConfigurationError(error: unknown): error is Error {
  return error instanceof Error && error.name === CONFIGURATION_ERROR;
}

/** The known name that has the letters of a misspelled one, or is closest to it; undefined if more than a third of the letters differ. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  const letters = inOrder(lower);
  let best = known.find(
    (candidate) => candidate.length === name.length && inOrder(candidate.toLowerCase()) === letters,
  );
  if (best !== undefined) return best;
  let distance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    // A name that is not closer than the best one is given up early: ids of cases are long, and there are 20,000.
    const found = leven(lower, candidate.toLowerCase(), { maxDistance: distance });
    if (found < distance) [best, distance] = [candidate, found];
  }
  return best;
}

/** So that neither words nor letters in another order tell two names apart. */
const inOrder = (name: string) => [...name.replace(/\W/g, '_')].sort().join('');

/** `; did you mean X?`, for the end of an error message; empty if no known name is close. */
export function didYouMean(name: string, known: readonly string[]): string {
  const closest = closestName(name, known);
  return closest ? `; did you mean ${closest}?` : '';
}

/** The code of a system error, such as ENOENT; undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The code of a system error, for a message, after what it means. The error's own text is not safe to show: it may quote a secret. */
export function errorCause(error: unknown): string {
  const code = errorCode(error) ?? 'unknown error';
  const words = MEANINGS[code];
  return words === undefined ? code : `${words}, ${code}`;
}
/** What a person meets most. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'not permitted',
  ENOSPC: 'the disk is full',
  EROFS: 'nothing can be written to this disk',
  EFBIG: 'the file is larger than is permitted',
  EDQUOT: 'the quota of this user is used up',
  EMFILE: 'too many files are open',
};

/** What kind of error it is and where it was thrown, such as `SyntaxError at tampering.js:170:30`. It quotes no value. */
export function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  // The stack begins with the message, which may quote a secret.
  const frames = error.stack?.replace(error.message, '') ?? '';
  const place = /^ +at .*?([^/\\\s(]+:\d+:\d+)\)?$/m.exec(frames)?.[1];
  return `${error.constructor.name}${place ? ` at ${place}` : ''}`;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
