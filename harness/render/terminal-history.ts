import { amount, counted, firstOf, firstShown } from '../contract/amounts.ts';
import { given } from '../contract/collections.ts';
import { calledAs } from '../contract/package-files.ts';
import { visible } from '../contract/visible-text.ts';
import type { Verdict } from '../judge/judge-cases.ts';
import type { HistoryCause, HistoryRun, NumberedRun } from '../report/history.ts';
import { CHANGES, type Change, changeInWords, rulesInWords, type Since, sinceTitle, startOf } from '../report/since.ts';
import { ENDING_WORDS, targetName } from '../report/verdict-words.ts';
import { reportDirFlag } from '../settings/variables.ts';
import { type Colors, durationInWords, rowsNamed, table } from './amounts.ts';

/** Causes of which each comparison names so many. */
const MOST_CAUSES = 12;

/** The runs that a report folder remembers, the last one first. Names the targets if there are several. */
export function renderHistory(lastFirst: readonly NumberedRun[], folder: string, colors: Colors): readonly string[] {
  const operations = timedOperations(lastFirst.map(({ run }) => run).reverse());
  const isOneTarget = new Set(lastFirst.map(({ run }) => targetName(run))).size === 1;
  const head = [
    '',
    'run',
    '',
    'ended',
    'do not pass',
    'failing causes',
    'duration',
    ...operations.map(timeHead),
    'depth',
  ];
  const rows = lastFirst.map(({ number, run }) => {
    const { ending, requirements, causes, duration, times, depth } = historyCells(run, operations);
    return [String(number), startOf(run), run.run, ending, requirements, causes, duration, ...times, depth];
  });
  const targets = lastFirst.map(({ run }) => targetName(run));
  const withTarget = (row: readonly string[], target: string) => (isOneTarget ? row : [...row, target]);
  const [first = '', ...others] = columns([
    withTarget(head, 'target'),
    ...rows.map((row, index) => withTarget(row, targets[index] ?? '')),
  ]);
  return given([
    colors.bold(visible(`${folder} remembers ${counted(lastFirst.length, 'run')}`)),
    colors.dim(first),
    ...others,
    lastFirst.length > 1 &&
      colors.dim(
        `\`${calledAs} compare --history 2 1${reportDirFlag(folder)}\` shows what changed between two of them.`,
      ),
  ]);
}

function timeHead(operation: string): string {
  return `${operation} 95 %`;
}

/** Two runs side by side, and the causes that only one of them has. */
export function renderSideBySide(before: HistoryRun, now: HistoryRun, colors: Colors): string[] {
  const operations = timedOperations([before, now]);
  const [then, later] = [historyCells(before, operations), historyCells(now, operations)];
  const rows: readonly (readonly [name: string, before: string, now: string])[] = [
    ['', `${startOf(before)} (${before.run})`, `${startOf(now)} (${now.run})`],
    ...(targetName(before) === targetName(now) ? [] : [['target', targetName(before), targetName(now)] as const]),
    ['ended', then.ending, later.ending],
    ['do not pass', then.requirements, later.requirements],
    ['failing causes', then.causes, later.causes],
    ['requests', amount(before.requests), amount(now.requests)],
    ['duration', then.duration, later.duration],
    ...operations.map(
      (operation, index) => [timeHead(operation), then.times[index] ?? '', later.times[index] ?? ''] as const,
    ),
    ['depth', then.depth, later.depth],
  ];
  const [first = '', ...others] = columns(rows);
  return [
    colors.dim(first),
    ...others,
    ...causesOf('new cause', onlyIn(now, before)),
    ...causesOf('gone', onlyIn(before, now)),
  ];
}

/** The failing causes of a run that another one does not have. */
function onlyIn(run: HistoryRun, other: HistoryRun): readonly HistoryCause[] {
  const failing = ({ causes }: HistoryRun) => causes.filter(({ verdict }) => verdict === 'fail');
  const known = new Set(failing(other).map(({ key }) => key));
  return failing(run).filter(({ key }) => !known.has(key));
}

function causesOf(what: string, causes: readonly HistoryCause[]): string[] {
  const all = causes.map(({ requirements, where }) => `${requirements.join(', ')} (${where})`);
  const shown = firstShown(all, MOST_CAUSES, (more) => `${amount(more)} more`);
  return shown.map((words) => visible(`  ${what}: ${words}`));
}

/** Lines whose cells stand below each other. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) => visible(`  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()));
}

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

/** `2026-11-21 10:00 UTC, conforms`. */
export function runTitle(run: HistoryRun): string {
  return `${startOf(run)}, ${ENDING_WORDS[run.ending].name}`;
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
    ending: ENDING_WORDS[ending].name,
    requirements: notPassingInWords(run),
    causes: amount(causes.filter(({ verdict }) => verdict === 'fail').length),
    duration: durationInWords(durationMs) ?? '–',
    times: operations.map(timeOf).map((ms) => (ms === undefined ? '–' : `${amount(ms)} ms`)),
    depth: `${depth}${narrowed === null ? '' : `, ${narrowed}`}`,
  };
}

/** Requirements that each kind of change lists, and units of each. */
const MOST_REQUIREMENTS = 12;
const MOST_UNITS = 4;

/** What changed since the earlier run. Empty if there is none. */
export function renderSince(since: Since | null, colors: Colors): string[] {
  if (since === null) return [];
  const paint = {
    new: colors.red,
    fixed: colors.green,
    stillFailing: colors.red,
    noLongerDecided: colors.yellow,
    nowDecided: colors.green,
  };
  const rows = CHANGES.flatMap((change) =>
    rowsNamed(changeInWords(since, change), changeLines(since[change]).map(paint[change])),
  );
  const rules = rulesInWords(since);
  return [
    colors.bold(sinceTitle(since)),
    ...(rules === undefined ? [] : [colors.yellow(`  ${rules}`)]),
    ...(rows.length === 0 ? ['  nothing changed'] : table(rows, colors)),
  ];
}

/** `token.expired on search/USER, chat/USER`, a line for each requirement. */
export function changeLines(found: readonly Change[]): readonly string[] {
  const lines = found.map(({ requirement, units }) => visible(`${requirement} on ${firstOf(units, MOST_UNITS)}`));
  return firstShown(lines, MOST_REQUIREMENTS, (more) => `${more} more, see the report`);
}
