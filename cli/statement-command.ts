import { join } from 'node:path';
import { configurationError } from '../harness/contract/configuration-error.ts';
import { calledAs } from '../harness/contract/package-files.ts';
import { shellWord, visible } from '../harness/contract/visible-text.ts';
import { write } from '../harness/render/write-reports.ts';
import { wholeReportIn } from '../harness/report/read-reports.ts';
import { verdictLine } from '../harness/report/verdict-words.ts';
import { judgeFolder, readRunFolder } from '../harness/statement/read-folder.ts';
import { makeStatement, statementJson } from '../harness/statement/statement.ts';
import { renderStatement } from '../harness/statement/statement-page.ts';
import { chosenContract } from './chosen-contract.ts';
import { defaultFolder } from './run-flags.ts';
import { print } from './terminal.ts';

/**
 * Writes the statement of a finished run into its report folder. A run that does not conform has one too. Returns 0: the
 * exit code says that the statement was written, and the statement says how the run ended.
 * @throws a configuration error if report.json is not what the journal gives.
 */
export async function statementCommand(given: string | undefined): Promise<number> {
  const judge = await chosenContract();
  const folder = given ?? defaultFolder();
  const found = readRunFolder(folder);
  const { baseline } = wholeReportIn(join(folder, 'report.json'), found.reportText);
  const { report, text } = judgeFolder(judge, found, baseline);
  if (text !== found.reportText)
    throw configurationError(
      `${join(folder, 'report.json')} is not what the journal beside it gives; write it again: ${calledAs} report ${shellWord(folder)}`,
    );
  const statement = makeStatement(report, found.hashes);
  const again = `write it again: ${calledAs} statement ${shellWord(folder)}`;
  const page = write(join(folder, 'statement.html'), renderStatement(statement), again);
  const json = write(join(folder, 'statement.json'), statementJson(statement), again);
  const [of, flag] =
    statement.ownContract === undefined ? ['', ''] : [', and the file of the contract', ' --contract FILE'];
  print(
    [
      visible(`${verdictLine(statement)} (exit code ${statement.exitCode} of the run)`),
      visible(`  statement: ${page}, ${json}`),
      `  Hand over the whole folder${of}. The recipient checks it with: ${calledAs} verify FOLDER${flag}`,
    ].join('\n'),
  );
  return 0;
}
