import { visible } from './visible-text.ts';

const CONFIGURATION_ERROR = 'ConfigurationError';

/**
 * A mistake of the operator, such as a wrong variable or data file. It ends a run with exit code 2.
 * @param problems one line for each problem. They may quote a file that somebody else wrote, so they become visible.
 */
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
