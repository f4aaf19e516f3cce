import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { configurationError } from '../contract/configuration-error.ts';
import { errorCause } from '../contract/error-text.ts';
import { readRegularFile } from '../contract/read-file.ts';
import { readYamlFile } from '../contract/yaml-file.ts';
import { type JournalLine, readJournalLines } from '../record/journal.ts';
import { type FileHashes, hashOf, type Statement } from './statement.ts';

/** What a run left in its report folder. */
export interface RunFolder {
  readonly folder: string;
  readonly lines: readonly JournalLine[];
  readonly reportText: string;
  readonly hashes: FileHashes;
}

/** @throws a configuration error if the journal or the report cannot be read, with the line of a damaged entry. */
export function readRunFolder(folder: string): RunFolder {
  const journal = join(folder, 'journal.ndjson');
  const lines = readJournalLines(journal);
  const report = bytesOf(join(folder, 'report.json'), 'a run writes it into its report folder');
  return {
    folder,
    lines,
    reportText: report.toString(),
    hashes: { 'journal.ndjson': hashOf(readRegularFile(journal)), 'report.json': hashOf(report) },
  };
}

/** A statement, and its text. */
export interface FoundStatement {
  readonly statement: Statement;
  readonly text: string;
}

/** @throws a configuration error if there is no statement.json, or it is no statement. */
export function readStatement(folder: string): FoundStatement {
  const file = join(folder, 'statement.json');
  const text = bytesOf(file, 'the command statement writes it').toString();
  // JSON is YAML 1.2, and this reader knows the lines.
  return { statement: readYamlFile<Statement>(file, 'statement'), text };
}

/** The texts of those files that are in the folder. */
export function textsOf(folder: string, names: readonly string[]): ReadonlyMap<string, string> {
  const present = readdirSync(folder).filter((name) => names.includes(name));
  return new Map(present.map((name) => [name, bytesOf(join(folder, name), 'ask for it again').toString()]));
}

/** The names in the folder besides those. */
export function otherNames(folder: string, names: readonly string[]): readonly string[] {
  return readdirSync(folder)
    .filter((name) => !names.includes(name))
    .sort();
}

function bytesOf(file: string, hint: string): Buffer {
  try {
    return readRegularFile(file);
  } catch (error) {
    throw configurationError(`cannot read ${file} (${errorCause(error)}); ${hint}`);
  }
}
