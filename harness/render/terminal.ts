import { basename, dirname } from 'node:path';
import { amount, counted, firstShown } from '../contract/amounts.ts';
import { calledAs } from '../contract/package-files.ts';
import { visible } from '../contract/visible-text.ts';
import { VERDICTS, type Verdict } from '../judge/judge-cases.ts';
import { adviceOn } from '../report/baseline.ts';
import { type Latency, type MeasuredLimit, measuredInWords } from '../report/latency.ts';
import type { Report } from '../report/report.ts';
import { reportDirFlag } from '../settings/variables.ts';
import { type Colors, countsInWords, joinedSections, listedInWords, rowsNamed, table, titled } from './amounts.ts';
import { viewOf } from './finding-view.ts';
import { renderNotTried, renderVaried } from './not-tried-words.ts';
import { leftRows, requirementRows } from './run-figures.ts';
import { SHORT } from './step-lines.ts';
import { renderSince } from './terminal-history.ts';
import {
  type AtEnd,
  renderRefusedTokens,
  renderUndecided,
  renderUndecidedChecks,
  renderVerdict,
  sightRows,
} from './terminal-verdict.ts';

const MOST_CAUSES = 12;
/** The verdicts of cases that the plan does not have. */
const UNPLANNED: readonly Verdict[] = ['not-applicable', 'not-testable'];
const PLANNED = VERDICTS.filter((verdict) => !UNPLANNED.includes(verdict));

/** The summary of a run: refused tokens lead, and the verdict is last. */
export function renderEnd(report: Report, end: AtEnd, colors: Colors): string {
  const sections = [
    renderRefusedTokens(report.refusedTokens, colors),
    freedoms(report, colors),
    baselineOf(report, colors),
    renderUndecided(report, end, colors),
    renderUndecidedChecks(report, colors),
    causes(report, end, colors),
    hints(report, end, colors),
    leftLines(report, colors),
    renderSince(report.since, colors),
    renderVaried(report.varied, colors),
    renderNotTried(report.notTried, colors),
    counts(report, colors),
    renderVerdict(report, end, colors),
  ];
  return joinedSections(sections);
}

/** Only how the run ended, for --quiet. */
export function renderQuietEnd(report: Report, end: AtEnd, colors: Colors): string {
  return renderVerdict(report, end, colors).join('\n');
}

/** The summary of a run that ended before its first case: everything is undecided for one reason. */
export function renderEarlyEnd(report: Report, end: AtEnd, colors: Colors): string {
  return joinedSections([renderRefusedTokens(report.refusedTokens, colors), renderVerdict(report, end, colors)]);
}

function counts(report: Report, colors: Colors): string[] {
  const paint: Readonly<Record<Verdict, (text: string) => string>> = {
    pass: colors.green,
    fail: colors.red,
    warn: colors.yellow,
    observed: colors.cyan,
    'not-applicable': colors.dim,
    'not-testable': colors.yellow,
    inconclusive: colors.yellow,
  };
  const show = (count: (verdict: Verdict) => number, among: readonly Verdict[] = VERDICTS) =>
    among
      .filter((verdict) => count(verdict) > 0)
      .map((verdict) => paint[verdict](`${amount(count(verdict))} ${verdict}`))
      .join(', ');
  const { verdicts } = report.counts;
  const unplanned = show((verdict) => verdicts[verdict], UNPLANNED);
  const decisions = (verdict: Verdict) => report.checks.filter((found) => found.verdict === verdict).length;
  return table(
    [
      ['cases', countsInWords(report.counts)],
      ['', show((verdict) => verdicts[verdict], PLANNED)],
      ...(unplanned === '' ? [] : [['', `not planned: ${unplanned}`]]),
      ...(report.sight ? sightRows(report.sight, report.narrowed) : []),
      ...(report.checks.length === 0 ? [] : [['checks', show(decisions)]]),
      ...rowsNamed('requirements', requirementRows(report)),
      ['', show((verdict) => report.requirements.filter((requirement) => requirement.verdict === verdict).length)],
      ...latencyRows(report.latency),
      ...limitRows(report.maxLatency),
    ],
    colors,
  );
}

/** What is still on the target, with the first names, and what was removed again. */
function leftLines({ left }: Report, colors: Colors): readonly string[] {
  const lines = leftRows(left).flatMap(({ words, names }) => [
    `  ${visible(words)}`,
    ...(names === '' ? [] : [colors.dim(`    ${visible(names)}`)]),
  ]);
  return titled('Left on the target', lines, colors);
}

function causes(report: Report, end: AtEnd, colors: Colors): readonly string[] {
  const { findings } = report;
  const all = findings.map((finding) => {
    const view = viewOf(finding, report, (id) => `${calledAs} replay ${id}${whereOf(end)}`);
    const { id, verdict, requirements, support, listed, text, facts, curl, response } = view;
    const paint = verdict === 'fail' ? colors.red : colors.yellow;
    return [
      `${paint(`${id} ${verdict}`)} ${colors.bold(requirements.join(', '))} ${colors.dim(`(${support})`)}${listed ? colors.dim(' listed in the baseline') : ''}`,
      `   ${text}`,
      ...table(
        [
          ...facts.map(([name, value]) => [name, visible(value)]),
          ...(curl === undefined ? [] : [['reproduce', curl]]),
          ...rowsNamed('response', response(SHORT).map(visible)),
        ],
        colors,
        '   ',
      ),
    ];
  });
  const rest = (more: number) => [colors.dim(`${counted(more, 'more cause')} in the report`)];
  const title = findings.length === 1 ? 'One cause' : counted(findings.length, 'cause');
  return titled(title, firstShown(all, MOST_CAUSES, rest).flat(), colors);
}

/** The flags with which another command finds this report and its contract. */
function whereOf(end: AtEnd): string {
  const folder = folderOf(end);
  return `${folder === undefined ? '' : reportDirFlag(folder)}${end.flags ?? ''}`;
}

const folderOf = ({ file }: AtEnd): string | undefined =>
  file !== undefined && basename(file) === 'report.html' ? dirname(file) : undefined;

/** What to do with a cause next. Both commands read the report, so that there is nothing to do without one. */
function hints({ findings: [first] }: Report, end: AtEnd, colors: Colors): string[] {
  if (!first || folderOf(end) === undefined) return [];
  const of = `${first.id}${whereOf(end)}`;
  return [
    colors.dim(`\`${calledAs} explain ${of}\` shows every step of ${first.id}.`),
    colors.dim(`\`${calledAs} replay ${of}\` sends it again.`),
  ];
}

/** A line for each entry of the baseline, and below it what its owner must do about it. */
function baselineOf({ baseline }: Report, colors: Colors): string[] {
  if (baseline === null) return [];
  const rows = baseline.entries.map((entry) => {
    const covered = entry.covers === 0 ? '' : `${listedInWords(entry.covers)}; `;
    return [`${entry.list} ${visible(entry.names)}`, `${covered}review by ${entry.review}: ${visible(entry.reason)}`];
  });
  const lines = table(rows, colors);
  const entries = baseline.entries.length === 1 ? '1 entry' : `${amount(baseline.entries.length)} entries`;
  return [
    colors.bold(`Baseline: ${entries}`),
    ...baseline.entries.flatMap((entry, index) => [
      lines[index] ?? '',
      ...adviceOn(entry).map((advice) => colors.yellow(`    ! ${advice}`)),
    ]),
  ];
}

function freedoms(report: Report, colors: Colors): readonly string[] {
  const rows = report.freedoms.map(({ freedom, choice }) => [freedom, choice]);
  return titled('Freedoms that this target uses', table(rows, colors), colors);
}

/** A row for each operation: how many requests had which outcome, and how long they took. Empty if the journal has no times. */
export function latencyRows(latency: readonly Latency[]): readonly (readonly string[])[] {
  const operations = [...new Set(latency.map(({ operation }) => operation))];
  const rows = operations.map((operation) => {
    const outcomes = latency.filter((one) => one.operation === operation).map(timesOf);
    return `${operation} ${outcomes.join(', ')}`;
  });
  return rows.map((row, index) => (index === 0 ? ['latency', `${row} (median / 95 % within / slowest)`] : ['', row]));
}

function timesOf({ outcome, requests, median, percentile95, slowest }: Latency): string {
  return `${amount(requests)} ${outcome} in ${[median, percentile95, slowest].map(amount).join(' / ')} ms`;
}

/** A row for each limit. Empty without one. */
export function limitRows(limits: readonly MeasuredLimit[]): readonly (readonly string[])[] {
  const lines = limits.map((limit) => `${measuredInWords(limit)}${limit.exceeded ? ': exceeded' : ''}`);
  return rowsNamed('max latency', lines);
}
