import { statSync } from 'node:fs';
import { join } from 'node:path';
import { configurationError, errorCause } from '../contract/configuration-error.ts';
import { readRegularFile } from '../contract/read-file.ts';
import { explain, validatorOf } from '../contract/validator.ts';
import { visible } from '../contract/visible-text.ts';
import { HISTORY } from '../record/report-folder.ts';
import { type HistoryRun, joinedRuns, MOST_RUNS } from './history.ts';

/** In bytes: 50 runs with every claim and many causes have a tenth of it. */
const LONGEST = 8 * 1024 * 1024;

/** What history.json holds. */
export interface History {
  readonly historyVersion: 1;
  /** The oldest first. */
  readonly runs: readonly HistoryRun[];
}

/**
 * The runs that a report folder remembers, the oldest first. Empty if it has no history.
 * @throws a configuration error if the file cannot be read, or is no history of this suite.
 */
export function readHistory(folder: string): readonly HistoryRun[] {
  const file = join(folder, HISTORY);
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return [];
  return joinedRuns(parsedHistory(visible(file), textOf(file)).runs);
}

function textOf(file: string): string {
  try {
    return readRegularFile(file, LONGEST).toString();
  } catch (error) {
    throw configurationError(
      `cannot read ${visible(file)} (${errorCause(error)}); a run keeps the facts of the last ${MOST_RUNS} runs there`,
    );
  }
}

function parsedHistory(file: string, text: string): History {
  let history: unknown;
  try {
    history = JSON.parse(text);
  } catch {
    throw configurationError(`${file} is not JSON, and no history of runs`);
  }
  const validate = validatorOf<History>('history');
  if (validate(history)) return history;
  const [error] = validate.errors ?? [];
  throw configurationError(`${file} is not a history of runs${error ? `: ${explain(error)}` : ''}`);
}

/** How history.json is written: a line for each run. */
export function historyJson(runs: readonly HistoryRun[]): string {
  return `{"historyVersion":1,"runs":[\n${runs.map((run) => JSON.stringify(run)).join(',\n')}\n]}\n`;
}
