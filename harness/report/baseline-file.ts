import { stringify } from 'yaml';
import { visible } from '../contract/visible-text.ts';
import { type Baseline, type BaselineEntry, DAYS_TO_EXPLAIN, UNEXPLAINED } from '../judge/baseline.ts';
import { daysAfter } from '../judge/read-baseline.ts';
import { readGroup } from '../plan/case.ts';
import type { ReportedFinding } from './findings.ts';
import type { Report } from './report.ts';

/**
 * A baseline file that lists what fails in a run: what the baseline of the run listed already, and an entry for each other
 * cause. Somebody has to fill in the reasons within 30 days.
 * @param today the day from which the days count, YYYY-MM-DD.
 */
export function baselineFileOf(report: Report, known: Baseline | undefined, today: string): string {
  const review = daysAfter(today, DAYS_TO_EXPLAIN);
  const causes = report.findings.filter(({ verdict, listed }) => verdict === 'fail' && !listed);
  const written = causes.flatMap((finding) => entriesOf(finding, report, review).map((entry) => ({ entry, finding })));
  const isEmpty = written.length === 0 && !known?.deviations.length;
  const listed = (entries: readonly BaselineEntry[]) => entries.map((entry) => item(entry));
  return [
    `# What is known to deviate. Written from run ${report.run} of ${report.startedAt}.`,
    `# Fill in each reason by its review date: until then an entry without one is accepted with a warning.`,
    `deviations:${isEmpty ? ' []' : ''}`,
    ...listed(known?.deviations ?? []),
    ...written.map(({ entry, finding }) => `${comment(finding)}${item(entry)}`),
    ...(known && known.gaps.length > 0 ? ['gaps:', ...listed(known.gaps)] : []),
    '',
  ].join('\n');
}

function entriesOf(finding: ReportedFinding, report: Report, review: string): readonly BaselineEntry[] {
  const cases = placeOf(finding, report);
  return finding.requirements.map((requirement) => ({
    requirement,
    ...(cases !== undefined && { cases }),
    reason: UNEXPLAINED,
    review,
  }));
}

/** The operation and the kind that all cases of a cause share, as a glob. Undefined if checks found it too, or if it is everywhere. */
function placeOf({ cases: ids }: ReportedFinding, { cases }: Report): string | undefined {
  const groups = new Map(cases.map(({ id, group }) => [id, group]));
  const found = ids.map((id) => groups.get(id));
  if (found.includes(undefined)) return undefined;
  const units = found.map((group = '') => readGroup(group));
  const shared = (values: readonly string[]) => (new Set(values).size === 1 ? values[0] : '*');
  const [operation, kind] = [shared(units.map((unit) => unit.operation)), shared(units.map((unit) => unit.kind))];
  return operation === '*' && kind === '*' ? undefined : `${operation}/${kind}/**`;
}

function comment({ id, text, where, got }: ReportedFinding): string {
  return `  # ${visible(`${id}: ${text} Where: ${where}. Got: ${got}`)}\n`;
}

function item(entry: BaselineEntry): string {
  return stringify([entry], { lineWidth: 0 }).trimEnd().replace(/^/gm, '  ');
}
