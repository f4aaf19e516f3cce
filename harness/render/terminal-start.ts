import { counted } from '../contract/amounts.ts';
import { groupedBy } from '../contract/collections.ts';
import { ownContractOf } from '../contract/contract.ts';
import { visible } from '../contract/visible-text.ts';
import type { RunFacts } from '../judge/judge-run.ts';
import { type CheckHead, describeNarrowing, isNarrowed } from '../plan/narrowing.ts';
import { claimsInWords } from '../settings/claims.ts';
import type { Settings } from '../settings/settings.ts';
import { type Colors, MOST_LISTED, table } from './amounts.ts';

/** A run before its first request. */
interface StartedRun extends Omit<RunFacts, 'settings'> {
  readonly settings: RunFacts['settings'] & Pick<Settings, 'rate'>;
  readonly checks: readonly CheckHead[];
  /** The chat budget of a target on another machine. */
  readonly chatLimit?: { readonly max: number } | undefined;
}

/** What a run sends, in the words of both `plan` and `run`. */
export interface PlanCounts {
  readonly cases: number;
  readonly groups: number;
  readonly handWrittenChecks: number;
  readonly depth: string;
}

/** `236 cases in 58 groups and 23 checks at depth core`. */
export function planInWords({ cases, groups, handWrittenChecks, depth }: PlanCounts): string {
  return `${counted(cases, 'case')} in ${counted(groups, 'group')} and ${counted(handWrittenChecks, 'check')} at depth ${depth}`;
}

/** What a run prints before it sends anything: the target, where the tokens came from, and the plan. */
export function renderStart(
  { settings, plan, checks, narrowing, run, redactor, chatLimit }: StartedRun,
  version: string,
  colors: Colors,
): string {
  const tokens = settings.catalogue.tokens.map(({ name }) => name).filter((name) => settings.variables.has(name));
  const byOrigin = groupedBy(tokens, (name) => settings.variables.get(name)?.origin);
  const { contract } = settings.catalogue;
  const own = ownContractOf(contract);
  const rows = [
    ...(own === undefined ? [] : [['contract', `${own} (own contract ${contract.digest})`]]),
    [
      'target',
      `${visible(redactor.text(settings.baseUrl))}${settings.trusted ? ' (the embedded reference service)' : ''}`,
    ],
    ['claims', `${claimsInWords(settings.claims)}${settings.claims.inferred ? ' (inferred)' : ''}`],
    ...[...byOrigin].map(([origin, names]) => [
      'tokens',
      `${names.length > MOST_LISTED ? counted(names.length, 'token') : names.join(' ')} (${origin})`,
    ]),
    [
      'plan',
      `${planInWords({ cases: plan.cases.size, groups: plan.groups.length, handWrittenChecks: checks.length, depth: settings.depth })}, ${settings.rate === undefined ? 'no rate limit' : `${counted(settings.rate, 'request')} a second`}`,
    ],
    ...(chatLimit ? [['chats', `at most ${chatLimit.max} accepted`]] : []),
    ...(isNarrowed(narrowing) ? [['narrowed', visible(describeNarrowing(narrowing))]] : []),
  ];
  return [
    colors.bold(`client-api-conformance ${version}`) + colors.dim(`  run ${run}`),
    ...table(rows, colors),
    '',
  ].join('\n');
}

/** What is printed above the summary when a run is judged again. */
export function renderAgain({ run, startedAt, settings }: RunFacts, journal: string, colors: Colors): string {
  const rows = [
    ['run', visible(`${run}, started ${startedAt}`)],
    ['target', `${visible(settings.baseUrl)}${settings.trusted ? ' (the embedded reference service)' : ''}`],
    ['journal', visible(journal)],
  ];
  return [colors.bold('Judged again from the journal'), ...table(rows, colors), ''].join('\n');
}
