import { join } from 'node:path';
import { configurationError, didYouMean } from '../harness/contract/configuration-error.ts';
import { type Contract, ownContractOf } from '../harness/contract/contract.ts';
import { visible } from '../harness/contract/visible-text.ts';
import type { CasesAt } from '../harness/plan/expand.ts';
import { WHOLE } from '../harness/plan/narrowing.ts';
import { findingIn, isFindingId } from '../harness/preview/explain-recorded.ts';
import { noJournal } from '../harness/record/journal.ts';
import { renderReplayed } from '../harness/render/finding-view.ts';
import { readWholeReport } from '../harness/report/read-reports.ts';
import { type Again, againOf, againOfCheck, replayedIn, worstReplayed } from '../harness/report/replayed.ts';
import type { Report } from '../harness/report/report.ts';
import { contractInWords } from '../harness/report/verdict-words.ts';
import type { Session } from '../harness/run/session.ts';
import { startSession } from '../harness/run/start-session.ts';
import { checksOf } from '../suites/checks/index.ts';
import { chooseTarget } from '../suites/choose-target.ts';
import { chosenContract, readDotenv } from './chosen-contract.ts';
import { showMintingOn } from './progress.ts';
import { defaultFolder, type RunFlags } from './run-flags.ts';
import { colorsFor, print, progressStream } from './terminal.ts';

export type ReplayFlags = Pick<RunFlags, 'embedded' | 'insecure' | 'intrusive' | 'reportDir'>;

/** What to send again, and the depth of the plan that has it. Undefined is that of the settings. */
interface Chosen extends Again {
  readonly depth?: string;
  /** Where a finding was found. A case and a check belong to no run. */
  readonly found?: Pick<Report, 'embedded' | 'target'>;
}

/** Exit codes as in a run: 1 if it still fails, 3 if it is undecided (outcomes 4). */
const EXIT_CODES = { 'still fails': 1, undecided: 3, 'no longer fails': 0 } as const;

/** Sends a finding, a case or a check again and says whether it still fails. Writes nothing. Returns the exit code. */
export async function replayCommand(id: string, flags: ReplayFlags): Promise<number> {
  const { contract, catalogue, casesAt } = await chosenContract();
  const { depth, found, ...again } = chosen(id, { contract, casesAt }, flags.reportDir ?? defaultFolder());
  const narrowing = { ...WHOLE, only: [...again.cases, ...again.checks, ...again.beside] };
  const { settings, transport, close } = await chooseTarget(catalogue, casesAt, {
    ...readDotenv(),
    flags: depth === undefined ? {} : { CONFORMANCE_DEPTH: depth },
    insecure: flags.insecure ?? false,
    embedded: flags.embedded ?? false,
    showMinting: showMintingOn(progressStream),
    narrowing,
  });
  const intrusive = flags.intrusive ?? settings.loopback;
  try {
    if (found && found.embedded !== settings.trusted) throw anotherTarget(id, found);
    const session = startSession(settings, {
      checks: checksOf(contract),
      casesAt,
      narrowing,
      intrusive,
      // An intrusive run may have found it, so that nothing less shows that it no longer fails.
      breadth: 'whole',
      journal: noJournal,
      ...(transport && { transport }),
    });
    return await sendAgain(session, again, id);
  } finally {
    await close();
  }
}

/** A target that another finding is about would look repaired. */
function anotherTarget(id: string, { embedded, target }: Pick<Report, 'embedded' | 'target'>): Error {
  return configurationError(
    embedded
      ? `${id} was found on the embedded reference service, and the variables name another target; pass --embedded`
      : `${id} was found on ${target}, and this would send it to the embedded reference service; set the variables of that run`,
  );
}

async function sendAgain(session: Session, again: Again, id: string): Promise<number> {
  const shown = (text: string) => visible(session.redactor.text(text));
  try {
    print(`sending ${id} again to ${shown(session.settings.baseUrl)}`);
    const problem = await session.preflight();
    if (problem) {
      print(`${problem.exitCode === 2 ? 'configuration error' : 'inconclusive'}: ${shown(problem.line)}`);
      return problem.exitCode;
    }
    await session.sendMatrix();
    for (const check of session.checks) await session.runCheck(check);
    const replayed = replayedIn(session, session.judge(), again);
    const verdict = worstReplayed(replayed);
    print(renderReplayed(id, verdict, replayed, { colors: colorsFor(), hasFailed: isFindingId(id) }));
    return EXIT_CODES[verdict];
  } finally {
    await session.close();
  }
}

function chosen(
  id: string,
  { contract, casesAt }: { readonly contract: Contract; readonly casesAt: CasesAt },
  folder: string,
): Chosen {
  const checkIds = contract.checks.map((check) => check.id);
  if (isFindingId(id)) {
    const report = readWholeReport(join(folder, 'report.json'));
    if (report.ownContract !== ownContractOf(contract))
      throw configurationError(
        `${id} was found under ${contractInWords(report)}; name that contract with --contract, or none for the client API`,
      );
    const again = againOf(findingIn(report, id), checkIds);
    // Only depth full has the cases that a run sent beyond its depth, to find a condition.
    return { ...again, depth: again.cases.length > 0 ? 'full' : report.depth, found: report };
  }
  const ofCheck = againOfCheck(id.replace(/^check:/, ''), checkIds);
  if (ofCheck) return ofCheck;
  const cases = casesAt('full').map((found) => found.id);
  if (cases.includes(id)) return { cases: [id], checks: [], beside: [], counts: () => false, depth: 'full' };
  throw configurationError(
    `no finding, case or check has the id ${id}${didYouMean(id, id.includes('/') ? cases : checkIds) || '; name one that the report of a run prints'}`,
  );
}
