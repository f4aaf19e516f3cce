import { VERDICTS, type Verdict } from '../judge/judge-cases.ts';
import type { RunFacts } from '../judge/run-facts.ts';
import { type CheckHead, describeNarrowing, isNarrowed } from '../plan/narrowing.ts';
import { adviceOn } from '../report/baseline.ts';
import type { Report } from '../report/report.ts';
import { clean } from '../report/visible-text.ts';
import { claimsInWords } from '../settings/claims.ts';
import type { Settings } from '../settings/settings.ts';

import { type Colors, table } from './terminal-table.ts';

const MOST_CAUSES = 12;
const MOST_LISTED = 8;

/** A run that has sent nothing yet. */
export interface StartedRun extends Omit<RunFacts, 'settings'> {
  readonly settings: RunFacts['settings'] & Pick<Settings, 'rate'>;
  readonly checks: readonly CheckHead[];
}

/** What a run prints before any traffic: the target, and where each credential came from. */
export function renderStart(
  { settings, plan, checks, narrowing, run, redactor }: StartedRun,
  version: string,
  colors: Colors,
): string {
  const byOrigin = new Map<string, string[]>();
  for (const { name } of settings.catalogue.tokens) {
    const origin = settings.variables.get(name)?.origin;
    if (origin !== undefined) byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), name]);
  }
  const rows = [
    [
      'target',
      `${clean(redactor.text(settings.baseUrl))}${settings.trusted ? ' (the embedded reference service)' : ''}`,
    ],
    ['claims', `${claimsInWords(settings.claims)}${settings.claims.inferred ? ' (inferred)' : ''}`],
    ...[...byOrigin].map(([origin, names]) => [
      'tokens',
      `${names.length > MOST_LISTED ? `${names.length} tokens` : names.join(' ')} (${origin})`,
    ]),
    [
      'plan',
      `${plan.cases.size} cases in ${plan.groups.length} groups and ${checks.length} checks at depth ${settings.depth}, ${settings.rate === undefined ? 'as fast as the target answers' : `${settings.rate} requests a second`}`,
    ],
    ...(isNarrowed(narrowing) ? [['narrowed', clean(describeNarrowing(narrowing))]] : []),
  ];
  return [
    colors.bold(`client-api-conformance ${version}`) + colors.dim(`  run ${run}`),
    ...table(rows, colors),
    '',
  ].join('\n');
}

/** What stands above the summary of a run that is judged again. */
export function renderAgain({ run, startedAt, settings }: RunFacts, journal: string, colors: Colors): string {
  const rows = [
    ['run', `${run}, begun ${startedAt}`],
    ['target', `${clean(settings.baseUrl)}${settings.trusted ? ' (the embedded reference service)' : ''}`],
    ['journal', journal],
  ];
  return [colors.bold('Judged again from its journal'), ...table(rows, colors), ''].join('\n');
}

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
