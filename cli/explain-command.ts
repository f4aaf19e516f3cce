import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configurationError, isConfigurationError } from '../harness/contract/configuration-error.ts';
import { once } from '../harness/contract/once.ts';
import { visible } from '../harness/contract/visible-text.ts';
import { explainer } from '../harness/preview/explain.ts';
import type { Section } from '../harness/preview/explain-case.ts';
import { aboutFinding, aboutRecorded, findingIn, isFindingId } from '../harness/preview/explain-recorded.ts';
import { readJournal } from '../harness/record/journal.ts';
import { table } from '../harness/render/amounts.ts';
import { ticketOf } from '../harness/render/finding-view.ts';
import { readWholeReport } from '../harness/report/read-reports.ts';
import { chosenContract } from './chosen-contract.ts';
import { defaultFolder } from './run-flags.ts';
import { asJson, colorsFor, print } from './terminal.ts';

/** Flags of `explain`, as the command line names them. */
export interface ExplainFlags {
  readonly reportDir?: string;
  readonly markdown?: boolean;
  readonly json?: boolean;
}

/** Explains what a report prints an id of. Several words are one text, or else an id each. Returns the exit code. */
export async function explainCommand(
  words: readonly string[],
  { reportDir, markdown = false, json = false }: ExplainFlags,
): Promise<number> {
  const folder = reportDir ?? defaultFolder();
  const id = words.join(' ');
  if (markdown) {
    print(ticketIn(folder, id));
    return 0;
  }
  const load = once(async () => {
    const { contract, catalogue } = await chosenContract();
    return { contract, explain: explainer(catalogue) };
  });
  const about = async (one: string) => {
    if (isFindingId(one)) return aboutFinding(one, readWholeReport(join(folder, 'report.json')));
    const { contract, explain } = await load();
    // A run records what it sends under a case or a check. To read a whole journal for another word takes long.
    const isSent = one.includes('/') || contract.checks.some((check) => check.id === one);
    return [...explain(one), ...(isSent ? recordedIn(join(folder, 'journal.ndjson'), one) : [])];
  };
  const sections = await about(id).catch(async (unknown) => {
    const each = await Promise.allSettled(words.map(about));
    // If no word is known alone, they are one text with a mistake in it.
    const isText = each.every(({ status }) => status === 'rejected');
    return each.flatMap((one) => {
      if (one.status === 'rejected') throw isText ? unknown : one.reason;
      return one.value;
    });
  });
  if (json) {
    const named = ({ title, rows }: Section) => ({ title, rows: rows.map(([name, text]) => ({ name, text })) });
    print(asJson({ id, sections: sections.map(named) }));
    return 0;
  }
  const colors = colorsFor();
  print(sections.map(({ title, rows }) => [colors.bold(title), ...table(rows, colors)].join('\n')).join('\n\n'));
  return 0;
}

/** @throws a configuration error for anything but a finding of the report in the folder. */
function ticketIn(folder: string, id: string): string {
  if (!isFindingId(id))
    throw configurationError(`--markdown prints a finding as a ticket, such as F1, not ${visible(id)}`);
  const report = readWholeReport(join(folder, 'report.json'));
  return ticketOf(findingIn(report, id), report).trimEnd();
}

/** What the last run recorded under an id. Its journal may be missing or damaged: the explanation does not need it. */
function recordedIn(journal: string, id: string): readonly Section[] {
  if (!existsSync(journal)) return [];
  try {
    return aboutRecorded(readJournal(journal), id);
  } catch (error) {
    if (!isConfigurationError(error)) throw error;
    return [{ title: 'Recorded', rows: [['', visible(error.message)]] }];
  }
}
