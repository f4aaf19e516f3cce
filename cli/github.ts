import { appendFileSync } from 'node:fs';
import { githubAnnotations, githubOutputs, githubSummary, withoutCommands } from '../harness/render/github.ts';
import type { Report } from '../harness/report/report.ts';

export interface Github {
  /**
   * Prints the causes as annotations, and appends the run to the summary and its ending and causes to the outputs of the
   * step. What is printed later, such as the verdict, is again no workflow command.
   */
  publish(report: Report): void;
  /** Lets the runner read workflow commands again. Nothing that a target said may be printed later. */
  end(): void;
}

/**
 * Under GitHub Actions, stops the runner from reading workflow commands until `end`; elsewhere does nothing.
 * Call it before anything that a target said is printed.
 */
export function underGithub(print: (text: string) => void, env: NodeJS.ProcessEnv = process.env): Github {
  if (env['GITHUB_ACTIONS'] !== 'true') return { publish: () => undefined, end: () => undefined };
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
