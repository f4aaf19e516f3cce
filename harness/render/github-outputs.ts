import type { Report } from '../report/report.ts';

/** GitHub takes at most one megabyte of outputs from a job. */
const MOST_CAUSES = 50;

/**
 * The outputs of the step, one line each: `ending`, and `causes` as JSON. They hold only names of the contract and no
 * text of the target, because a later step may paste an output into a shell. JSON writes a line feed as `\n`, so no value
 * can begin a line of its own.
 */
export function githubOutputs({ ending, findings }: Report): string {
  const causes = findings
    .slice(0, MOST_CAUSES)
    .map(({ id, verdict, requirements, listed }) => ({ id, verdict, requirements, listed }));
  return `ending=${ending}\ncauses=${JSON.stringify(causes)}\n`;
}
