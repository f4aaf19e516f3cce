import { type HistoryRun, historyRun } from '../report/history.ts';
import type { Report } from '../report/report.ts';

/** The same run a number of days later, as another run. */
export function daysLater(run: HistoryRun, days: number, change: Partial<HistoryRun> = {}): HistoryRun {
  const startedAt = new Date(Date.parse(run.startedAt) + days * 86_400_000).toISOString();
  return { ...run, run: `day-${days}`, startedAt, ...change };
}

/** Runs before that of a report, a day between them, the oldest first. */
export function runsBefore(report: Report, changes: readonly Partial<HistoryRun>[]): readonly HistoryRun[] {
  return changes.map((change, index) => daysLater(historyRun(report), index - changes.length, change));
}
