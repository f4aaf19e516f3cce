import { appendFileSync } from 'node:fs';
import { githubAnnotations, githubSummary, withoutCommands } from '../harness/render/github.ts';
import type { Report } from '../harness/report/report.ts';

export interface Github {
  /**
   * Prints the causes as annotations and appends the run to the summary of the step. What is printed later, such as the
   * verdict, is again no workflow command.
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
      print(stop);
      const file = env['GITHUB_STEP_SUMMARY'];
      if (file === undefined || file === '') return;
      try {
        appendFileSync(file, githubSummary(report));
      } catch {
        print('::warning::Cannot write the summary of this step. The report has the same content.');
      }
    },
  };
}
