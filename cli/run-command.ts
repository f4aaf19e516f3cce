import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configurationError, isConfigurationError } from '../harness/contract/configuration-error.ts';
import { visible } from '../harness/contract/visible-text.ts';
import type { Narrowing } from '../harness/plan/narrowing.ts';
import { type Forecast, forecastOf } from '../harness/preview/rehearse.ts';
import { type EarlierRun, INTERRUPTED } from '../harness/record/exchange.ts';
import { suiteVersion } from '../harness/record/journal.ts';
import { renderEarlyEnd, renderEnd, renderQuietEnd } from '../harness/render/terminal.ts';
import { renderStart } from '../harness/render/terminal-start.ts';
import { renderRefusedTokens } from '../harness/render/terminal-verdict.ts';
import { replacesReports, writeReports } from '../harness/render/write-reports.ts';
import { decidesNothing } from '../harness/report/decided-pairs.ts';
import { isSameTarget } from '../harness/report/history.ts';
import { readReport } from '../harness/report/read-reports.ts';
import { refusedTokens } from '../harness/report/refused-tokens.ts';
import { makeReport, type Report } from '../harness/report/report.ts';
import { earlierRun } from '../harness/report/since.ts';
import { readRunId } from '../harness/run/plan-run.ts';
import { type SessionOptions, startSession } from '../harness/run/start-session.ts';
import { readLatencyLimits } from '../harness/settings/latency-limits.ts';
import type { Settings } from '../harness/settings/settings.ts';
import { checksOf } from '../suites/checks/index.ts';
import { type ChosenTarget, chooseTarget } from '../suites/choose-target.ts';
import { chosenContract, contractFlag, readDotenv } from './chosen-contract.ts';
import { showMintingOn, showRunProgress } from './progress.ts';
import {
  type BaselineFlags,
  baselineAt,
  refuseUnwritableBaseline,
  underGithub,
  writeBaselineOf,
} from './report-command.ts';
import { flagVariables, narrowingOf, type RunFlags, readBudget } from './run-flags.ts';
import { colorsFor, isWatched, noStream, onEndingSignal, openFile, print, progressStream } from './terminal.ts';
import { type Watching, watch } from './watch.ts';

/** Runs the suite against the configured target and prints the summary. Returns the exit code (outcomes 4). */
export async function runCommand(flags: RunFlags): Promise<number> {
  const { contract, catalogue, casesAt } = await chosenContract();
  const narrowing = narrowingOf(flags);
  const maxLatency = readLatencyLimits(flags.maxLatency ?? [], contract);
  const run = readRunId({ given: flags.run, shard: narrowing.shard, environment: process.env });
  refuseUnwritableBaseline(flags.writeBaseline);
  const baseline = baselineAt(contract, casesAt, flags.baseline);
  const { settings, renew, transport, close } = await chooseTarget(catalogue, casesAt, {
    ...readDotenv(),
    flags: flagVariables(flags),
    insecure: flags.insecure ?? false,
    embedded: flags.embedded ?? false,
    showMinting: showMintingOn(flags.quiet ? noStream : progressStream),
    narrowing,
  });
  const intrusive = flags.intrusive ?? settings.loopback;
  const options = { checks: checksOf(contract), intrusive, narrowing, casesAt, maxLatency };
  const runWhole = async (settings: Settings) => {
    const { earlier, note } = findEarlier(flags.since, settings);
    const budget = readBudget(flags.budget);
    const chosen = {
      budget,
      ...(transport && { transport }),
      ...(baseline && { baseline }),
      ...(run && { run }),
      ...(earlier && { earlier }),
    };
    if (note !== undefined && !flags.quiet) print(note);
    const forecast = await forecastOf(settings, options);
    const { writeBaseline, quiet = false } = flags;
    return runAgainst(settings, { ...options, ...chosen, ...forecast, writeBaseline, quiet });
  };
  try {
    if (!flags.watch) {
      const { exitCode, report } = await runWhole(settings);
      const problem = flags.open && report ? await openFile(join(settings.reportDir, 'report.html')) : undefined;
      if (problem !== undefined) print(problem);
      return exitCode;
    }
    return await watchFrom(runWhole, { settings, options, renew });
  } finally {
    await close();
  }
}

/** Runs everything, and then again what is open whenever the target comes back. Returns the exit code of the last whole run. */
async function watchFrom(
  runWhole: (settings: Settings) => Promise<Ran>,
  { renew, ...watching }: Pick<Watching, 'settings' | 'options'> & Pick<ChosenTarget, 'renew'>,
): Promise<number> {
  if (watching.settings.trusted)
    throw configurationError('--watch waits for your target to restart: name it with TARGET_BASE_URL');
  const ended = new AbortController();
  const stopListening = onEndingSignal(() => ended.abort());
  let last = await runWhole(watching.settings);
  const again = async (settings: Settings) => {
    last = await runWhole(settings);
    return last.report;
  };
  const { options } = watching;
  /** A command that is wrong, or not ready yet, ends no watched run: it is asked again after the next restart. */
  const renewed = async (again?: Narrowing) => {
    try {
      return await (again ? renew(again, 'full') : renew(options.narrowing));
    } catch (error) {
      if (!isConfigurationError(error)) throw error;
      if (!ended.signal.aborted) print(`no tokens: ${error.message}`);
      return undefined;
    }
  };
  await watch(last.report, { ...watching, runWhole: again, renew: renewed, ended: ended.signal });
  stopListening();
  return last.exitCode;
}

/** How a run ended. There is no report if nothing was tested. */
interface Ran {
  readonly exitCode: number;
  readonly report?: Report;
}

async function runAgainst(
  settings: Settings,
  {
    stepsMs,
    quiet = false,
    ...options
  }: SessionOptions & Partial<Forecast> & Pick<BaselineFlags, 'writeBaseline'> & Pick<RunFlags, 'quiet'>,
): Promise<Ran> {
  const session = startSession(settings, options);
  const colors = colorsFor();
  let interrupted = false;
  // Until something is decided, the folder keeps what an earlier run wrote.
  let decided = false;
  const stopListening = onEndingSignal(() => {
    interrupted = true;
    session.gate.close(INTERRUPTED);
  });
  const github = underGithub(print);
  try {
    if (!quiet) print(renderStart({ ...session, chatLimit: options.chatLimit }, suiteVersion, colors));
    const problem = await session.preflight();
    // If the gate is closed already, the run was interrupted or the journal cannot be written: the report says so.
    if (problem && session.gate.closed === undefined) {
      const line = visible(session.redactor.text(problem.line));
      session.gate.close(line);
      if (problem.exitCode === 2) {
        print(`configuration error: ${line}`);
        github.refuse(line);
        return { exitCode: problem.exitCode };
      }
    }
    // The summary begins with them too. Until then, only a person who watches can do something about them.
    if (session.gate.closed === undefined && isWatched && !quiet) {
      const refused = renderRefusedTokens(refusedTokens(session, session.sender.exchanges), colors);
      if (refused.length > 0) print([...refused, ''].join('\n'));
    }
    const progress = showRunProgress(session, quiet ? noStream : progressStream, stepsMs);
    await session.sendAll(progress.step);
    progress.end();
    const report = makeReport(session, session.judge());
    decided = replacesReports(settings.reportDir, report);
    const { files, problem: noReport } = tryWriting(settings.reportDir, report);
    const { said, problem: unwritten = noReport } = writeBaselineOf(settings.reportDir, report, options);
    github.publish(report);
    const render = quiet ? renderQuietEnd : problem ? renderEarlyEnd : renderEnd;
    print(render(report, { file: files[0], problem: unwritten, flags: contractFlag() }, colors));
    if (said !== undefined) print(said);
    if (unwritten) throw unwritten;
    return { exitCode: report.exitCode, report };
  } finally {
    await session.close(interrupted, decided);
    stopListening();
    github.end();
  }
}

/** Writes the reports. An error is returned, so that the summary is printed in any case. */
function tryWriting(folder: string, report: Report): { readonly files: readonly string[]; readonly problem?: Error } {
  try {
    return { files: writeReports(folder, report, print) };
  } catch (error) {
    if (!isConfigurationError(error)) throw error;
    return { files: [], problem: error };
  }
}

/**
 * Finds the earlier run to compare with, or why there is none although there is a report. It is the report that `--since`
 * names, or else the one that is still in the report folder. The latter counts only if it is about the same target.
 * @throws a configuration error if `--since` names no report, or one that decided nothing.
 */
function findEarlier(
  since: string | undefined,
  { reportDir, baseUrl, trusted }: Pick<Settings, 'reportDir' | 'baseUrl' | 'trusted'>,
): { readonly earlier?: EarlierRun; readonly note?: string } {
  if (since !== undefined) {
    const report = readReport(since);
    if (!decidesNothing(report)) return { earlier: earlierRun(report) };
    throw configurationError(`--since ${visible(since)} is the report of a run that decided nothing; name another one`);
  }
  const file = join(reportDir, 'report.json');
  if (!existsSync(file)) return {};
  try {
    const report = readReport(file);
    if (decidesNothing(report)) return { note: 'not compared with the run before, which decided nothing' };
    if (isSameTarget({ target: baseUrl, embedded: trusted }, report)) return { earlier: earlierRun(report) };
    return { note: visible(`not compared with ${file}, which is about ${report.target}`) };
  } catch (error) {
    // An unreadable report of an earlier run must not keep this one from running.
    if (isConfigurationError(error)) return { note: visible(`not compared with the run before: ${error.message}`) };
    throw error;
  }
}
