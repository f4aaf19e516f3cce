import type { RunFacts } from '../judge/run-facts.ts';
import { type CheckHead, describeNarrowing, isNarrowed } from '../plan/narrowing.ts';
import { clean } from '../report/visible-text.ts';
import { claimsInWords } from '../settings/claims.ts';
import type { Settings } from '../settings/settings.ts';
import { type Colors, MOST_LISTED, table } from './terminal-table.ts';

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
