import { VERDICTS, type Verdict } from '../judge/judge-cases.ts';
import { adviceOn } from '../report/baseline.ts';
import type { Report } from '../report/report.ts';
import { clean } from '../report/visible-text.ts';
import { type Colors, MOST_LISTED, table } from './terminal-table.ts';

const MOST_CAUSES = 12;

/** The summary a run ends with. */
export function renderEnd(report: Report, files: readonly string[], colors: Colors): string {
  const sections = [
    headline(report, colors),
    counts(report, colors),
    causes(report, colors),
    baselineOf(report, colors),
    undecided(report, colors),
    freedoms(report, colors),
    [...table([...files.map((file) => ['report', file]), ['exit code', String(report.exitCode)]], colors)],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function headline({ ending, line, stopped, trouble, narrowed }: Report, colors: Colors): string[] {
  const good = ending === 'conforms' || ending === 'conforms-except' || ending === 'partial';
  const paint = good ? colors.green : ending === 'deviates' ? colors.red : colors.yellow;
  return [
    colors.bold(paint(`${good ? '✔' : ending === 'deviates' ? '✘' : '?'} ${line}`)),
    ...(narrowed === null ? [] : [`  narrowed: ${clean(narrowed)}`]),
    ...(stopped === null ? [] : [colors.yellow(`  stopped: ${clean(stopped)}`)]),
    ...trouble.map((sentence) => colors.yellow(`  trouble: ${clean(sentence)}`)),
  ];
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
  const show = (count: (verdict: Verdict) => number) =>
    VERDICTS.filter((verdict) => count(verdict) > 0)
      .map((verdict) => paint[verdict](`${count(verdict)} ${verdict}`))
      .join(', ');
  const { planned, executed, requests, verdicts } = report.counts;
  return table(
    [
      ['cases', `${planned} planned, ${executed} executed in ${requests} requests`],
      ['', show((verdict) => verdicts[verdict])],
      [
        'requirements',
        show((verdict) => report.requirements.filter((requirement) => requirement.verdict === verdict).length),
      ],
    ],
    colors,
  );
}

function causes({ findings }: Report, colors: Colors): string[] {
  if (findings.length === 0) return [];
  const shown = findings.slice(0, MOST_CAUSES).flatMap((finding) => {
    const paint = finding.verdict === 'fail' ? colors.red : colors.yellow;
    return [
      `${paint(`${finding.id} ${finding.verdict}`)} ${colors.bold(finding.requirements.join(', '))} ${colors.dim(`(${finding.sources.join('; ')}; ${finding.basis})`)}${finding.listed ? colors.dim(' listed in the baseline') : ''}`,
      `   ${finding.text}`,
      ...table(
        [
          ['where', `${finding.where} (${finding.cases.length} ${finding.cases.length === 1 ? 'case' : 'cases'})`],
          ['wanted', finding.wanted],
          ['got', clean(finding.got)],
          ...(finding.caveat === null ? [] : [['caveat', finding.caveat]]),
          ...(finding.curl === '' ? [] : [['again', finding.curl]]),
        ],
        colors,
        '   ',
      ),
    ];
  });
  const more = findings.length - MOST_CAUSES;
  return [
    colors.bold(findings.length === 1 ? 'One cause' : `${findings.length} causes`),
    ...shown,
    ...(more > 0 ? [colors.dim(`and ${more} more in the report`)] : []),
  ];
}

/** What is listed and occurs, in short; what somebody must look at, in full. */
function baselineOf({ baseline }: Report, colors: Colors): string[] {
  if (baseline === null) return [];
  const rows = baseline.entries.map((entry) => {
    const what = entry.covers === 0 ? '' : `${entry.covers} ${entry.covers === 1 ? 'case' : 'cases'}; `;
    return [`${entry.list} ${clean(entry.names)}`, `${what}to be reviewed by ${entry.review}: ${clean(entry.reason)}`];
  });
  const lines = table(rows, colors);
  return [
    colors.bold(`Baseline, ${baseline.entries.length} listed`),
    ...baseline.entries.flatMap((entry, index) => [
      lines[index] ?? '',
      ...adviceOn(entry).map((advice) => colors.yellow(`    ! ${advice}`)),
    ]),
  ];
}

function undecided({ undecided: reasons, outOfPlan, restsOnWord, narrowed }: Report, colors: Colors): string[] {
  const rows = reasons.slice(0, MOST_CAUSES).map(({ reason, status, accepted, requirements, units }) => {
    const what = `${requirements.slice(0, 3).join(', ')}${requirements.length > 3 ? ` and ${requirements.length - 3} more` : ''} on ${units.slice(0, 3).join(', ')}${units.length > 3 ? ' and more' : ''}`;
    if (accepted) return ['accepted gap', `${reason}: ${what}`];
    if (status !== 'not-testable') return ['inconclusive', `${clean(reason)}: ${what}`];
    // As on the page (page/verdict.ts): report.json has no field for it.
    return /^[A-Z_]+$/.test(reason) ? [`set ${reason}`, `to decide ${what}`] : ['not testable', `${reason}: ${what}`];
  });
  const unplanned = outOfPlan.reduce((sum, { cases }) => sum + cases, 0);
  const notes = [
    ...(unplanned > 0
      ? [
          `${unplanned} more cases would need ${few(
            outOfPlan.map(({ reason }) => reason),
            'further tokens',
          )}; nothing claimed rests on them`,
        ]
      : []),
    ...(restsOnWord.length > 0
      ? [
          `rests on the operator's word, since no request could show that they ever lived: ${few(restsOnWord, 'tokens')}`,
        ]
      : []),
  ].map((note) => colors.dim(`  ${note}`));
  if (rows.length === 0 && notes.length === 0) return [];
  const all = narrowed === null ? 'Everything claimed is decided' : 'Everything claimed is decided in this part';
  return [colors.bold(rows.length === 0 ? all : 'Undecided'), ...table(rows, colors), ...notes];
}

function freedoms({ freedoms: rows }: Report, colors: Colors): string[] {
  if (rows.length === 0) return [];
  return [
    colors.bold('Freedoms this target uses'),
    ...table(
      rows.map(({ freedom, choice }) => [freedom, choice]),
      colors,
    ),
  ];
}

/** The names themselves while they are few, else their number; the report lists them all. */
function few(names: readonly string[], what: string): string {
  return names.length > MOST_LISTED ? `${names.length} ${what}, listed in the report` : names.join(', ');
}
