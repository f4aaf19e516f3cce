import { join } from 'node:path';
import { counted } from '../harness/contract/amounts.ts';
import { configurationError, isConfigurationError } from '../harness/contract/configuration-error.ts';
import { calledAs } from '../harness/contract/package-files.ts';
import { visible } from '../harness/contract/visible-text.ts';
import { HISTORY } from '../harness/record/report-folder.ts';
import { renderHistory, renderSideBySide, renderSince } from '../harness/render/terminal-history.ts';
import { type HistoryRun, historyRun, type NumberedRun, numbered, sinceRun } from '../harness/report/history.ts';
import { readHistory, readReport, readWholeReport, reportFileAt } from '../harness/report/read-reports.ts';
import { earlierRun, type Since, sinceEarlier } from '../harness/report/since.ts';
import { reportDirFlag } from '../harness/settings/variables.ts';
import { defaultFolder } from './run-flags.ts';
import { asJson, colorsFor, print } from './terminal.ts';

/** Flags of `compare`, as the command line names them. */
export interface CompareFlags {
  readonly history?: boolean;
  readonly reportDir?: string;
  readonly json?: boolean;
}

/** Prints what changed between two reports or two runs of a history, or lists the history. Returns the exit code. */
export function compareCommand(
  earlier: string | undefined,
  later: string | undefined,
  { history = false, reportDir, json = false }: CompareFlags,
): number {
  if (history) return compareRuns(earlier, later, reportDir ?? defaultFolder(), json);
  if (earlier === undefined || later === undefined)
    throw configurationError(
      `compare needs two reports: files named report.json, or report folders; ${calledAs} compare --history lists the runs that a report folder remembers`,
    );
  if (reportDir !== undefined)
    throw configurationError('--report-dir names a history: add --history, or name two report folders without it');
  const since = sinceEarlier(earlierRun(readReport(earlier)), readReport(later));
  return printCompared(since, [runOf(earlier), runOf(later)], json);
}

/** The facts of a report. Undefined if another version of the suite wrote it: then only what changed is known. */
function runOf(path: string): HistoryRun | undefined {
  try {
    return historyRun(readWholeReport(reportFileAt(path)));
  } catch (error) {
    if (isConfigurationError(error)) return undefined;
    throw error;
  }
}

function compareRuns(earlier: string | undefined, later: string | undefined, folder: string, json: boolean): number {
  const runs = numbered(readHistory(folder));
  if (runs.length === 0)
    throw configurationError(
      `${visible(folder)} remembers no run: there is no ${HISTORY} in it; each run that decides something adds itself, and --report-dir names another folder`,
    );
  if (earlier === undefined) {
    print(json ? asJson(runs) : renderHistory(runs, folder, colorsFor()).join('\n'));
    return 0;
  }
  const [before, now] = [findRun(runs, earlier, folder), findRun(runs, later ?? '1', folder)];
  if (before.run === now.run)
    throw configurationError(
      `--history ${visible(earlier)} is the run that it would be compared with; name an earlier one, which ${calledAs} compare --history${reportDirFlag(folder)} lists`,
    );
  return printCompared(sinceRun(before, now), [before, now], json);
}

function findRun(runs: readonly NumberedRun[], name: string, folder: string): HistoryRun {
  const found = runs.find(({ number }) => String(number) === name) ?? runs.find(({ run }) => run.run === name);
  if (found) return found.run;
  throw configurationError(
    `${join(visible(folder), HISTORY)} has no run ${visible(name)}: it has ${counted(runs.length, 'run')}, and 1 is the last one; ${calledAs} compare --history${reportDirFlag(folder)} lists them`,
  );
}

/** Returns 1 if something new fails, 3 if something is no longer decided, otherwise 0 (docs/ci.md). */
function printCompared(
  since: Since,
  [before, now]: readonly [HistoryRun | undefined, HistoryRun | undefined],
  json: boolean,
): number {
  const colors = colorsFor();
  const facts = before && now ? renderSideBySide(before, now, colors) : [];
  print(json ? asJson(since) : [...renderSince(since, colors), ...facts].join('\n'));
  if (since.new.length > 0) return 1;
  return since.noLongerDecided.length > 0 ? 3 : 0;
}
