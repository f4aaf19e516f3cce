import { visible } from '../contract/visible-text.ts';
import type { HistoryCause, HistoryRun, NumberedRun } from '../report/history.ts';
import { amount, counted } from './amounts.ts';
import { historyCells, startOf, timedOperations } from './history-words.ts';
import type { Colors } from './terminal-table.ts';

/** Causes of which each comparison names so many. */
const MOST_CAUSES = 12;

/** The runs that a report folder remembers, the last one first. Names the targets if there are several. */
export function renderHistory(lastFirst: readonly NumberedRun[], folder: string, colors: Colors): string[] {
  const operations = timedOperations(lastFirst.map(({ run }) => run).reverse());
  const isOneTarget = new Set(lastFirst.map(({ run }) => targetOf(run))).size === 1;
  const head = ['', 'run', '', 'ended', 'do not pass', 'causes', 'duration', ...operations.map(timeHead), 'depth'];
  const rows = lastFirst.map(({ number, run }) => {
    const { ending, requirements, causes, duration, times, depth } = historyCells(run, operations);
    return [String(number), startOf(run), run.run, ending, requirements, causes, duration, ...times, depth];
  });
  const targets = lastFirst.map(({ run }) => targetOf(run));
  const withTarget = (row: readonly string[], target: string) => (isOneTarget ? row : [...row, target]);
  const [first = '', ...others] = columns([
    withTarget(head, 'target'),
    ...rows.map((row, index) => withTarget(row, targets[index] ?? '')),
  ]);
  return [
    colors.bold(visible(`${folder} remembers ${counted(lastFirst.length, 'run')}`)),
    colors.dim(first),
    ...others,
    ...(lastFirst.length > 1 ? [colors.dim('`compare --history 2 1` shows what changed between two of them.')] : []),
  ];
}

function timeHead(operation: string): string {
  return `${operation} 95 %`;
}

function targetOf({ embedded, target }: HistoryRun): string {
  return embedded ? 'the embedded reference service' : target;
}

/** Two runs side by side, and the causes that only one of them has. */
export function renderSideBySide(before: HistoryRun, now: HistoryRun, colors: Colors): string[] {
  const operations = timedOperations([before, now]);
  const [then, later] = [historyCells(before, operations), historyCells(now, operations)];
  const rows: readonly (readonly [name: string, before: string, now: string])[] = [
    ['', `${startOf(before)} (${before.run})`, `${startOf(now)} (${now.run})`],
    ...(targetOf(before) === targetOf(now) ? [] : [['target', targetOf(before), targetOf(now)] as const]),
    ['ended', then.ending, later.ending],
    ['do not pass', then.requirements, later.requirements],
    ['causes', then.causes, later.causes],
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
  const more = causes.length - MOST_CAUSES;
  const lines = causes
    .slice(0, MOST_CAUSES)
    .map(({ requirements, where }) => visible(`  ${what}: ${requirements.join(', ')} (${where})`));
  return more > 0 ? [...lines, `  ${what}: ${amount(more)} more`] : lines;
}

/** Lines whose cells stand below each other. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) => visible(`  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()));
}
