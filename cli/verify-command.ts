import { checksFor } from '../harness/checks/check.ts';
import { HISTORY } from '../harness/record/report-folder.ts';
import { readHistory } from '../harness/report/read-reports.ts';
import { otherNames, readRunFolder, readStatement, textsOf } from '../harness/statement/read-folder.ts';
import { outcomeOf, renderVerification, VERIFICATION_EXIT_CODES } from '../harness/statement/terminal-verification.ts';
import { PAGES, verify } from '../harness/statement/verify.ts';
import { chosenContract } from './chosen-contract.ts';
import { asJson, colorsFor, print } from './terminal.ts';

const KNOWN_FILES = ['journal.ndjson', 'report.json', 'statement.json', ...PAGES, HISTORY];

/** Checks a statement that somebody handed over. Sends nothing. Returns the exit code: 0 if it holds (outcomes 4). */
export async function verifyCommand(folder: string, { json = false }: { json?: boolean }): Promise<number> {
  const { contract, ...judge } = await chosenContract();
  const found = readStatement(folder);
  const received = { ...readRunFolder(folder), found, pages: textsOf(folder, PAGES), history: readHistory(folder) };
  const verification = verify(received, {
    ...judge,
    checksOf: ({ claims, trusted }) => checksFor(contract, { claims, trusted }, contract.checks),
  });
  const outcome = outcomeOf(verification);
  const exitCode = VERIFICATION_EXIT_CODES[outcome];
  print(
    json
      ? asJson({ outcome, exitCode, ...verification })
      : renderVerification(found.statement, verification, otherNames(folder, KNOWN_FILES), colorsFor()),
  );
  return exitCode;
}
