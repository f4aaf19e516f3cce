import { join, resolve } from 'node:path';
import { configurationError } from '../harness/contract/configuration-error.ts';
import { loadContract } from '../harness/contract/load-contract.ts';
import { expandOnce } from '../harness/plan/expand.ts';
import { openJournal, readJournal } from '../harness/record/journal.ts';
import { mergeJournals } from '../harness/run/merge.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { baselineAt, judgeAgain } from './report-command.ts';

/** Joins the shards of one run in a folder of its own, and judges them as one; the exit code of the whole run. */
export async function mergeCommand(
  folders: readonly string[],
  out: string,
  baseline: string | undefined,
  print: (text: string) => void,
): Promise<number> {
  const own = folders.find((folder) => resolve(folder) === resolve(out));
  if (own !== undefined)
    throw configurationError(
      `--report-dir ${out} is one of the shards, whose journal it would replace; choose another`,
    );
  const contract = await loadContract();
  const catalogue = catalogueOf(contract);
  const casesAt = expandOnce(contract);
  const listed = baselineAt(contract, casesAt, baseline);
  const found = folders.map((folder) => ({ folder, entries: readJournal(join(folder, 'journal.ndjson')) }));
  const { entries, missing } = mergeJournals(catalogue, found, casesAt);
  const journal = openJournal(out);
  for (const entry of entries) journal.append(entry);
  journal.close();
  for (const line of missing) print(line);
  return judgeAgain(catalogue, out, { casesAt, baseline: listed }, print);
}
