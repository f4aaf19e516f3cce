import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationError } from '../contract/configuration-error.ts';
import { errorCause } from '../contract/error-text.ts';
import { entriesOf, type JournalEntry } from './exchange.ts';
import { afterLockouts } from './lockout.ts';

/** Exchanges as they count, once every lockout is known. */
function settled(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const lockouts = entriesOf(entries, 'lockout');
  if (lockouts.length === 0) return entries;
  const others = entries.filter(({ type }) => type !== 'lockout');
  return others.map((entry) => (entry.type === 'exchange' ? afterLockouts(entry, lockouts) : entry));
}

export interface Journal {
  append(entry: JournalEntry): void;
  /** Whether the folder still holds this journal, and not that of a run that began there since. */
  isInPlace(): boolean;
  close(): void;
}

/**
 * Opens `journal.ndjson` in a folder, as a new file: a run that still writes to the old one does not get into this one.
 * What came in one turn of the event loop is handed to the system at its end, so
 * that a killed run leaves everything that was decided before.
 * @param onFull hears, once, why no more can be written, as on a full disk; without it that is thrown.
 * @param writeLines hands lines to the system; a test puts a full disk here.
 * @throws a configuration error when the folder cannot be written.
 */
export function openJournal(
  folder: string,
  onFull: (reason: string) => void = refuse,
  writeLines: (descriptor: number, lines: string) => void = writeFileSync,
): Journal {
  const file = join(folder, 'journal.ndjson');
  let descriptor: number;
  try {
    mkdirSync(folder, { recursive: true });
    rmSync(file, { force: true });
    descriptor = openSync(file, 'wx');
  } catch (error) {
    throw configurationError(
      `cannot write ${file} (${errorCause(error)}); choose another folder with CONFORMANCE_REPORT_DIR`,
    );
  }
  const inode = fstatSync(descriptor).ino;
  let open = true;
  let turn: string[] = [];
  const end = () => {
    open = false;
    process.off('exit', write);
    closeSync(descriptor);
  };
  const write = () => {
    if (!open || turn.length === 0) return;
    const lines = turn.join('');
    turn = [];
    try {
      writeLines(descriptor, lines);
    } catch (error) {
      end();
      onFull(`cannot go on writing ${file} (${errorCause(error)}); what was decided until now is in it`);
    }
  };
  // An error that ends the process leaves no next turn.
  process.once('exit', write);
  return {
    append(entry) {
      if (!open) return;
      if (turn.length === 0) setImmediate(write);
      turn.push(`${JSON.stringify(entry)}\n`);
    },
    isInPlace: () => statSync(file, { throwIfNoEntry: false })?.ino === inode,
    close() {
      write();
      if (open) end();
    },
  };
}

function refuse(reason: string): never {
  throw configurationError(reason);
}

/** A journal that keeps nothing: for measuring. */
export const noJournal: Journal = { append: () => undefined, isInPlace: () => true, close: () => undefined };

/**
 * Reads a journal back. A last line cut off by a kill is passed over.
 * @throws a configuration error for a file that cannot be read, and for any other damage by its line.
 */
export function readJournal(file: string): readonly JournalEntry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw configurationError(`cannot read ${file} (${errorCause(error)}); a run writes it into its report folder`);
  }
  const lines = text.split('\n');
  const last = lines.length - 1;
  const entries = lines.flatMap((line, index): JournalEntry[] => {
    if (line === '') return [];
    let entry: unknown;
    try {
      entry = JSON.parse(line);
    } catch {
      if (index === last) return [];
      throw configurationError(`${file}: line ${index + 1} is not JSON`);
    }
    if (!isEntry(entry)) throw configurationError(`${file}: line ${index + 1} is no entry of a journal`);
    return [entry];
  });
  return settled(entries);
}

/** What every entry of a type must have for the rest of the harness to read it. */
const FIELDS: Readonly<
  Record<JournalEntry['type'], Readonly<Record<string, 'string' | 'number' | 'object' | 'boolean'>>>
> = {
  run: {
    version: 'string',
    run: 'string',
    contract: 'string',
    startedAt: 'string',
    target: 'string',
    depth: 'string',
    claims: 'object',
    trusted: 'boolean',
    variables: 'object',
  },
  exchange: { seq: 'number', case: 'string', role: 'string', credential: 'string', observation: 'object' },
  decision: { check: 'string', requirement: 'string', verdict: 'string', detail: 'string' },
  unsent: { case: 'string', reason: 'string' },
  lockout: { from: 'number', to: 'number' },
  end: { interrupted: 'boolean' },
};

function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  const fields = Object.entries(FIELDS).find(([type]) => type === value.type)?.[1];
  if (!fields) return false;
  const entry = new Map<string, unknown>(Object.entries(value));
  return Object.entries(fields).every(([name, type]) => typeof entry.get(name) === type && entry.get(name) !== null);
}
