import type { Verdict } from '../judge/judge-cases.ts';
import type { HistoryRun } from '../report/history.ts';
import { endingName } from '../report/verdict-words.ts';
import { amount, durationInWords } from './amounts.ts';

/** The verdicts of requirements that neither pass nor are left open, from the bottom of a bar. */
const NOT_PASSING = ['fail', 'inconclusive', 'not-testable', 'warn'] as const satisfies readonly Verdict[];

/** How many requirements have each verdict that is no pass. Empty if all pass. */
export function notPassing({
  requirements,
}: HistoryRun): readonly { readonly verdict: Verdict; readonly count: number }[] {
  return NOT_PASSING.flatMap((verdict) => {
    const count = requirements[verdict] ?? 0;
    return count === 0 ? [] : [{ verdict, count }];
  });
}

/** `1 fail, 2 warn`, or `none`. */
export function notPassingInWords(run: HistoryRun): string {
  return (
    notPassing(run)
      .map(({ verdict, count }) => `${amount(count)} ${verdict}`)
      .join(', ') || 'none'
  );
}

/** `2026-11-21 10:00 UTC`. */
export function startOf({ startedAt }: Pick<HistoryRun, 'startedAt'>): string {
  return `${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `2026-11-21 10:00 UTC, conforms`. */
export function runTitle(run: HistoryRun): string {
  return `${startOf(run)}, ${endingName(run.ending)}`;
}

/** The two operations with the most requests in the last run. A table has no room for more. */
export function timedOperations(runs: readonly HistoryRun[]): readonly string[] {
  const rows = [...(runs.at(-1)?.latency ?? [])].sort((a, b) => b.requests - a.requests);
  return rows.slice(0, 2).map(({ operation }) => operation);
}

/** What a table says of a run. @param operations those whose times it has. */
export function historyCells(run: HistoryRun, operations: readonly string[]) {
  const { ending, causes, durationMs, latency, depth, narrowed } = run;
  const timeOf = (operation: string) => latency.find((one) => one.operation === operation)?.percentile95;
  return {
    ending: endingName(ending),
    requirements: notPassingInWords(run),
    causes: amount(causes.filter(({ verdict }) => verdict === 'fail').length),
    duration: durationInWords(durationMs) ?? '–',
    times: operations.map(timeOf).map((ms) => (ms === undefined ? '–' : `${amount(ms)} ms`)),
    depth: `${depth}${narrowed === null ? '' : `, ${narrowed}`}`,
  };
}
