import { join, resolve } from 'node:path';
import { configurationError } from '../harness/contract/configuration-error.ts';
import { visible } from '../harness/contract/visible-text.ts';
import { openJournal, readJournal } from '../harness/record/journal.ts';
import { carryHistory } from '../harness/render/write-reports.ts';
import { mergeJournals } from '../harness/run/merge.ts';
import { chosenContract } from './chosen-contract.ts';
import { baselineAt, reportAgain } from './report-command.ts';
import { defaultFolder } from './run-flags.ts';
import { print } from './terminal.ts';

/** Joins the shards of a run in another folder and judges them as one run. Returns the exit code of the whole run. */
export async function mergeCommand(
  folders: readonly string[],
  reportDir: string | undefined,
  baseline: string | undefined,
): Promise<number> {
  const out = reportDir ?? defaultFolder();
  if (folders.some((folder) => resolve(folder) === resolve(out)))
    throw configurationError(
      `${out} is one of the shards, and merging would replace its journal; choose another folder with --report-dir`,
    );
  const { contract, catalogue, casesAt } = await chosenContract();
  const options = { casesAt, baseline: baselineAt(contract, casesAt, baseline) };
  const shards = folders.map((folder) => ({ folder, entries: readJournal(join(folder, 'journal.ndjson')) }));
  const { entries, missing } = mergeJournals(catalogue, shards, casesAt);
  const journal = openJournal(out);
  for (const entry of entries) journal.append(entry);
  journal.close();
  for (const line of [...missing, ...carryHistory(folders, out)]) print(visible(line));
  return reportAgain(catalogue, out, options);
}
