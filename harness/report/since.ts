import { visible } from '../contract/visible-text.ts';
import type { EarlierRun } from '../record/exchange.ts';
import { type ComparedReport, decidedId, decidedPairs, isUndecided, unitsByRequirement } from './decided-pairs.ts';

export interface Change {
  readonly requirement: string;
  readonly units: readonly string[];
}

export const CHANGE_WORDS = {
  new: 'new',
  fixed: 'fixed',
  stillFailing: 'still failing',
  noLongerDecided: 'no longer decided',
  nowDecided: 'decided for the first time',
} as const;
type ChangeName = keyof typeof CHANGE_WORDS;

export const CHANGES = Object.keys(CHANGE_WORDS) as readonly ChangeName[];

/** The changes that a case which fails can have. */
export const ROW_CHANGES = ['new', 'stillFailing'] as const satisfies readonly ChangeName[];

export type Since = Readonly<Record<ChangeName, readonly Change[]>> &
  Pick<EarlierRun, 'run' | 'startedAt' | 'target'> & {
    /** The rules of both runs, if they are not the same: a verdict may differ although the target did not change. */
    readonly rules: { readonly before: string; readonly now: string } | null;
  };

export function earlierRun(report: ComparedReport): EarlierRun {
  const { run, startedAt, target, breadth } = report;
  const rules = rulesOf(report);
  const { failing, decided } = decidedPairs(report);
  return {
    type: 'earlier',
    run,
    startedAt,
    target,
    failing: Object.fromEntries(failing),
    decided: [...decided].sort(),
    ...(breadth && { breadth }),
    ...(rules !== undefined && { rules }),
  };
}

/** What judged a run. Undefined if that is unknown. */
export function rulesOf({ suite, contract }: Pick<ComparedReport, 'suite' | 'contract'>): string | undefined {
  return suite === undefined || contract === undefined ? undefined : `suite ${suite}, contract ${contract}`;
}

/**
 * Compares a run with an earlier one. What a run leaves out, because it is narrowed, has another depth or runs fewer
 * checks, is no change, unless it failed before: then nobody knows any more. Pure.
 */
export function sinceEarlier(earlier: EarlierRun, report: ComparedReport): Since {
  const now = decidedPairs(report);
  // Without something that failed before, a requirement that passes now may be as broken as it was.
  const triesLess = earlier.breadth === 'whole' && report.breadth === 'telling';
  const isTriedAgain = (pair: string) => {
    const [requirement = ''] = pair.split(' ');
    const isTriedByCheck = (id: string) => !triesLess && now.decidedChecks.has(decidedId({ id, requirement }));
    return earlier.failing[pair]?.some((id) => now.decidedCases.has(id) || isTriedByCheck(id)) ?? false;
  };
  const failing = Object.keys(earlier.failing);
  return changesBetween({ ...earlier, failing }, { ...now, rules: rulesOf(report), isTriedAgain });
}

/** What is known of the earlier of two runs that are compared. */
interface Before extends Pick<EarlierRun, 'run' | 'startedAt' | 'target' | 'decided'> {
  readonly rules?: string | undefined;
  readonly failing: readonly string[];
}
/** What is known of the later one. */
interface Now {
  readonly rules: string | undefined;
  readonly failing: { has(pair: string): boolean; keys(): Iterable<string> };
  readonly decided: ReadonlySet<string>;
  readonly undecided: ReadonlySet<string>;
  /** Whether it tried again something that failed before. */
  isTriedAgain(pair: string): boolean;
}

export function changesBetween(before: Before, now: Now): Since {
  const { run, startedAt, target, failing, decided, rules } = before;
  const failed = new Set(failing);
  const notFailingNow = failing.filter((pair) => !now.failing.has(pair));
  const known = new Set([...decided, ...failing]);
  const isFixed = (pair: string) => now.decided.has(pair) && now.isTriedAgain(pair);
  const lost = notFailingNow.filter((pair) => !isFixed(pair));
  const left = decided.filter((pair) => !failed.has(pair) && !now.failing.has(pair) && isUndecided(now, pair));
  return {
    run,
    startedAt,
    target,
    rules:
      rules === undefined || now.rules === undefined || rules === now.rules ? null : { before: rules, now: now.rules },
    new: changes([...now.failing.keys()].filter((pair) => !failed.has(pair))),
    fixed: changes(notFailingNow.filter(isFixed)),
    stillFailing: changes(failing.filter((pair) => now.failing.has(pair))),
    noLongerDecided: changes([...lost, ...left]),
    nowDecided: changes([...now.decided].filter((pair) => !known.has(pair) && !now.failing.has(pair))),
  };
}

/** One change for each requirement. */
function changes(pairs: readonly string[]): readonly Change[] {
  return [...unitsByRequirement(pairs)].map(([requirement, units]) => ({ requirement, units }));
}

/** `2026-11-21 10:00 UTC`. */
export function startOf({ startedAt }: { readonly startedAt: string }): string {
  return `${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `Since the run of 2026-11-21 10:00 UTC (da012e5d)`. */
export function sinceTitle(since: Since): string {
  return visible(`Since the run of ${startOf(since)} (${since.run})`);
}

/** What to bear in mind if the rules differ. Undefined if they do not. */
export function rulesInWords({ rules }: Since): string | undefined {
  if (rules === null) return undefined;
  return visible(
    `The rules differ: ${rules.before} before, ${rules.now} now. What is new or fixed may come from that; CHANGELOG.md lists the verdicts that change.`,
  );
}

/** What happened to a requirement: `fixed`, or `fixed, by other rules` if these may be the reason. */
export function changeInWords({ rules }: Since, change: ChangeName): string {
  const mayComeFromRules = rules !== null && (change === 'new' || change === 'fixed');
  return `${CHANGE_WORDS[change]}${mayComeFromRules ? ', by other rules' : ''}`;
}
