import { appendFileSync } from 'node:fs';
import { githubAnnotations, githubSummary, withoutCommands } from '../harness/render/github.ts';
import type { Report } from '../harness/report/report.ts';

export interface Github {
  /** Shows the causes of a run as annotations, and the run in the summary of the step. */
  tell(report: Report): void;
  /** Lets the runner read commands again, where nothing was told. */
  end(): void;
}

/**
 * Under GitHub Actions from here on no line that is printed is read as a command; elsewhere nothing happens.
 * Asked for before anything of a target is printed.
 */
export function underGithub(print: (text: string) => void, env: NodeJS.ProcessEnv = process.env): Github {
  if (env['GITHUB_ACTIONS'] !== 'true') return { tell: () => undefined, end: () => undefined };
  const { stop, resume } = withoutCommands();
  print(stop);
  let stopped = true;
  const end = () => {
    if (stopped) print(resume);
    stopped = false;
  };
  return {
    end,
    tell(report) {
      end();
      for (const annotation of githubAnnotations(report)) print(annotation);
      const file = env['GITHUB_STEP_SUMMARY'];
      if (file === undefined || file === '') return;
      try {
        appendFileSync(file, githubSummary(report));
      } catch {
        print('::warning::The summary of this step cannot be written; the report has it all.');
      }
    },
  };
}
