import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from '../contract/contract.ts';
import { calledAs } from '../contract/package-files.ts';
import { readRegularFile } from '../contract/read-file.ts';
import { shellWord } from '../contract/visible-text.ts';
import { readYamlFile } from '../contract/yaml-file.ts';
import type { Baseline, BaselineEntry } from '../judge/baseline.ts';
import type { CasesAt } from '../plan/expand.ts';
import { entriesIn, type JournalLine, readJournalLines } from '../record/journal.ts';
import { reportJson } from '../render/write-reports.ts';
import type { ReportedBaseline } from '../report/baseline.ts';
import { bytesOf } from '../report/read-reports.ts';
import { makeReport } from '../report/report.ts';
import { judgeAgain } from '../run/judge-again.ts';
import type { Catalogue } from '../settings/catalogue.ts';
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

export interface FoundStatement {
  readonly statement: Statement;
  readonly text: string;
}

/** @throws a configuration error if there is no statement.json, or it is no statement. */
export function readStatement(folder: string): FoundStatement {
  const file = join(folder, 'statement.json');
  const text = bytesOf(file, `it is written by: ${calledAs} statement ${shellWord(folder)}`).toString();
  // JSON is YAML 1.2, and this reader knows the lines.
  return { statement: readYamlFile<Statement>(file, 'statement'), text };
}

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

export interface Judge {
  readonly catalogue: Catalogue;
  readonly casesAt: CasesAt;
}

/**
 * Judges the journal of a folder again, beside the baseline that its report.json names.
 * @returns the report that it gives, and as `text` what report.json must be.
 * @throws a configuration error if this suite cannot judge the journal.
 */
export function judgeFolder({ catalogue, casesAt }: Judge, { lines }: RunFolder, listed: ReportedBaseline | null) {
  const baseline = listed === null ? undefined : baselineIn(catalogue.contract, listed);
  const again = judgeAgain(catalogue, entriesIn(lines), { baseline, casesAt });
  const report = makeReport(again, again.judged);
  return { again, report, text: reportJson(report) };
}

/** The baseline of a run, from its report: an entry names a requirement, a glob over ids, or both (`a.requirement in glob`). */
export function baselineIn({ requirements }: Contract, { today, entries }: ReportedBaseline): Baseline {
  const ids = new Set(requirements.map(({ id }) => id));
  const namedIn = (names: string): Pick<BaselineEntry, 'requirement' | 'cases'> => {
    if (ids.has(names)) return { requirement: names };
    const [, requirement = '', cases = ''] = /^(\S+) in (.+)$/.exec(names) ?? [];
    return ids.has(requirement) ? { requirement, cases } : { cases: names };
  };
  const of = (list: 'deviation' | 'gap'): BaselineEntry[] =>
    entries
      .filter((entry) => entry.list === list)
      .map(({ names, reason, review }) => ({ ...namedIn(names), reason, review }));
  return { deviations: of('deviation'), gaps: of('gap'), today };
}
