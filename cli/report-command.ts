import { join } from 'node:path';
import type { Contract } from '../harness/contract/contract.ts';
import { loadContract } from '../harness/contract/load-contract.ts';
import type { Baseline } from '../harness/judge/baseline.ts';
import { readBaseline } from '../harness/judge/read-baseline.ts';
import { type CasesAt, expandOnce } from '../harness/plan/expand.ts';
import { readJournal } from '../harness/record/journal.ts';
import { renderEnd } from '../harness/render/terminal.ts';
import { renderAgain } from '../harness/render/terminal-start.ts';
import { writeReports } from '../harness/render/write-reports.ts';
import { makeReport } from '../harness/report/report.ts';
import { sightOf } from '../harness/report/sight.ts';
import { type JudgeAgainOptions, judgeAgain } from '../harness/run/judge-again.ts';
import { type Catalogue, catalogueOf } from '../harness/settings/catalogue.ts';
import { readDotenvFile } from '../harness/settings/read-dotenv.ts';
import { DEFAULT_REPORT_DIR } from '../harness/settings/variables.ts';
import { checks } from '../suites/checks/index.ts';
import { colorsFor } from './colors.ts';
import { underGithub } from './github.ts';

/** Judges the journal of a folder again and writes its reports again. Sends nothing. Returns the exit code of the run. */
export async function reportCommand(
  folder: string | undefined,
  baseline: string | undefined,
  print: (text: string) => void,
): Promise<number> {
  const contract = await loadContract();
  const casesAt = expandOnce(contract);
  const options = { casesAt, baseline: baselineAt(contract, casesAt, baseline) };
  return reportAgain(catalogueOf(contract), folder ?? defaultFolder(), options, print);
}

/** The baseline in a file, with its review dates compared with today; undefined if there is no file. */
export function baselineAt(contract: Contract, casesAt: CasesAt, file: string | undefined): Baseline | undefined {
  if (file === undefined) return undefined;
  const nameable = { contract, casesAt, checks: checks.map(({ id }) => id) };
  return readBaseline(nameable, file, new Date().toISOString().slice(0, 10));
}

/** The folder that a run writes to if no flag names one. */
export function defaultFolder(): string {
  const name = 'CONFORMANCE_REPORT_DIR';
  return process.env[name] ?? readDotenvFile('.env')[name] ?? DEFAULT_REPORT_DIR;
}

/** Judges the journal of a folder again, prints the summary and writes the reports. Returns the exit code of the run. */
export function reportAgain(
  catalogue: Catalogue,
  folder: string,
  options: JudgeAgainOptions,
  print: (text: string) => void,
): number {
  const colors = colorsFor();
  const journal = join(folder, 'journal.ndjson');
  const replayed = judgeAgain(catalogue, readJournal(journal), options);
  const github = underGithub(print);
  print(renderAgain(replayed, journal, colors));
  const report = makeReport(replayed, replayed.judged, sightOf(replayed, replayed.judged));
  const [file] = writeReports(folder, report);
  github.publish(report);
  print(renderEnd(report, file, colors));
  github.end();
  return report.exitCode;
}
