import { appendFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configurationError, errorCause, writeError } from '../harness/contract/configuration-error.ts';
import type { Contract } from '../harness/contract/contract.ts';
import { calledAs } from '../harness/contract/package-files.ts';
import { shellWord, visible } from '../harness/contract/visible-text.ts';
import type { Baseline } from '../harness/judge/baseline.ts';
import { readBaseline } from '../harness/judge/read-baseline.ts';
import type { CasesAt } from '../harness/plan/expand.ts';
import { readJournal } from '../harness/record/journal.ts';
import { writeNew } from '../harness/record/report-folder.ts';
import { githubAnnotations, githubOutputs, githubSummary } from '../harness/render/github.ts';
import { renderEnd } from '../harness/render/terminal.ts';
import { renderAgain } from '../harness/render/terminal-start.ts';
import { withoutCommands, workflowCommand } from '../harness/render/workflow-commands.ts';
import { reportJson, writeReports } from '../harness/render/write-reports.ts';
import { baselineFileOf } from '../harness/report/baseline-file.ts';
import { makeReport, type Report } from '../harness/report/report.ts';
import { type JudgeAgainOptions, judgeAgain } from '../harness/run/judge-again.ts';
import type { Catalogue } from '../harness/settings/catalogue.ts';
import { chosenContract, contractFlag } from './chosen-contract.ts';
import { defaultFolder } from './run-flags.ts';
import { colorsFor, print } from './terminal.ts';

/** Judges the journal of a folder again and writes its reports again. Sends nothing. Returns the exit code of the run. */
export async function reportCommand(
  folder: string | undefined,
  { baseline: file, writeBaseline, json = false }: ReportFlags,
): Promise<number> {
  const { contract, catalogue, casesAt } = await chosenContract();
  refuseUnwritableBaseline(writeBaseline);
  const options = { casesAt, baseline: baselineAt(contract, casesAt, file), writeBaseline, json };
  return reportAgain(catalogue, folder ?? defaultFolder(), options);
}

/** Flags about baselines, as the command line names them. */
export interface BaselineFlags {
  readonly baseline?: string | undefined;
  readonly writeBaseline?: string | undefined;
}
interface ReportFlags extends BaselineFlags {
  readonly json?: boolean;
}

/** @throws a configuration error if the file exists, because somebody may have filled in its reasons, or if it has no folder. */
export function refuseUnwritableBaseline(file: string | undefined): void {
  if (file === undefined) return;
  if (existsSync(file))
    throw configurationError(
      `--write-baseline ${file} exists; read it with --baseline, and name another file to write`,
    );
  if (!existsSync(dirname(file)))
    throw configurationError(
      `--write-baseline ${file} cannot be written: its folder does not exist; make the folder first`,
    );
}

/** What to say after the verdict of a file that was written, or the error: then the verdict has no exit code. */
interface Written {
  readonly said?: string;
  readonly problem?: Error;
}

/** Writes what fails in a run as a baseline. @param folder the report folder of the run. */
export function writeBaselineOf(
  folder: string,
  report: Report,
  {
    baseline,
    writeBaseline: file,
  }: { readonly baseline?: Baseline | undefined } & Pick<BaselineFlags, 'writeBaseline'>,
): Written {
  if (file === undefined) return {};
  try {
    writeNew(file, baselineFileOf(report, baseline, today()));
  } catch (error) {
    const command = `${calledAs} report ${shellWord(folder)}${contractFlag()} --write-baseline FILE`;
    const again = `${command} writes it without another run to a FILE that you may write`;
    return { problem: writeError(`cannot write ${file} (${errorCause(error)}); ${again}`) };
  }
  return { said: `baseline: ${visible(file)}; fill in its reasons, then run with --baseline ${visible(file)}` };
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The baseline in a file, with its review dates compared with today; undefined if there is no file. */
export function baselineAt(contract: Contract, casesAt: CasesAt, file: string | undefined): Baseline | undefined {
  if (file === undefined) return undefined;
  const nameable = { contract, casesAt, checks: contract.checks.map(({ id }) => id) };
  return readBaseline(nameable, file, today());
}

/** Judges the journal of a folder again, prints the summary or the report as JSON, and writes the reports. Returns the exit code of the run. */
export function reportAgain(
  catalogue: Catalogue,
  folder: string,
  { json = false, ...options }: JudgeAgainOptions & Omit<ReportFlags, 'baseline'>,
): number {
  const say = json ? () => undefined : print;
  const colors = colorsFor();
  const journal = join(folder, 'journal.ndjson');
  const replayed = judgeAgain(catalogue, readJournal(journal), options);
  const github = underGithub(say);
  say(renderAgain(replayed, journal, colors));
  const report = makeReport(replayed, replayed.judged);
  const [file] = writeReports(folder, report, print);
  github.publish(report);
  const { said, problem } = writeBaselineOf(folder, report, options);
  if (json) print(reportJson(report).trimEnd());
  else print(renderEnd(report, { file, problem, flags: contractFlag() }, colors));
  if (said !== undefined) say(said);
  github.end();
  if (problem) throw problem;
  return report.exitCode;
}

interface Github {
  /**
   * Prints the causes as annotations, and appends the run to the summary and its ending and causes to the outputs of the
   * step. What is printed later, such as the verdict, is again no workflow command.
   */
  publish(report: Report): void;
  /** Annotates why nothing was tested. */
  refuse(reason: string): void;
  /** Lets the runner read workflow commands again. Nothing that a target said may be printed later. */
  end(): void;
}

/** Under GitHub Actions, stops the runner from reading workflow commands until `end`. Call it before printing what a target said. */
export function underGithub(print: (text: string) => void): Github {
  const { env } = process;
  if (env['GITHUB_ACTIONS'] !== 'true')
    return { publish: () => undefined, refuse: () => undefined, end: () => undefined };
  const { stop, resume } = withoutCommands();
  print(stop);
  let stopped = true;
  const end = () => {
    if (stopped) print(resume);
    stopped = false;
  };
  return {
    end,
    publish(report) {
      print(resume);
      for (const annotation of githubAnnotations(report)) print(annotation);
      append('summary', env['GITHUB_STEP_SUMMARY'], githubSummary(report), print);
      append('outputs', env['GITHUB_OUTPUT'], githubOutputs(report), print);
      print(stop);
    },
    refuse(reason) {
      print([resume, workflowCommand('error', 'configuration error', reason), stop].join('\n'));
    },
  };
}

/** Appends to a file of the runner. A file that cannot be written does not change how the run ends. */
function append(what: string, file: string | undefined, text: string, print: (text: string) => void): void {
  if (file === undefined || file === '') return;
  try {
    appendFileSync(file, text, { mode: 0o600 });
  } catch {
    print(`::warning::Cannot write the ${what} of this step. The report has the same content.`);
  }
}
