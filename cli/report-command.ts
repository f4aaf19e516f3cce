import { join } from 'node:path';
import pc from 'picocolors';
import type { Contract } from '../harness/contract.ts';
import { readDotenvFile } from '../harness/dotenv-file.ts';
import { readJournal } from '../harness/journal.ts';
import { loadContract } from '../harness/load-contract.ts';
import { replay } from '../harness/replay.ts';
import { writeReports } from '../harness/report-files.ts';
import { makeReport } from '../harness/report-json.ts';
import { renderAgain, renderEnd } from '../harness/report-terminal.ts';

/** Judges the journal of a folder again, without any traffic, and writes its reports anew; the exit code of the run. */
export async function reportCommand(folder: string | undefined, print: (text: string) => void): Promise<number> {
  return judgeAgain(await loadContract(), folder ?? defaultFolder(), print);
}

/** Where a run writes unless a flag says otherwise. */
export function defaultFolder(): string {
  const name = 'CONFORMANCE_REPORT_DIR';
  return process.env[name] ?? readDotenvFile('.env')[name] ?? 'conformance-report';
}

export function judgeAgain(contract: Contract, folder: string, print: (text: string) => void): number {
  const colors = pc.createColors(pc.isColorSupported && process.stdout.isTTY === true);
  const journal = join(folder, 'journal.ndjson');
  const told = replay(contract, readJournal(journal));
  print(renderAgain(told, journal, colors));
  const report = makeReport(told, told.conclusion);
  print(renderEnd(report, writeReports(folder, report), colors));
  return report.exitCode;
}
