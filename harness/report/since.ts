import { visible } from '../contract/visible-text.ts';
import type { EarlierRun } from '../record/exchange.ts';
import { type ComparedReport, decidedId, decidedPairs, isUndecided } from './decided-pairs.ts';

/** A requirement, and the units in which something about it changed. */
export interface Change {
  readonly requirement: string;
  readonly units: readonly string[];
}

export const CHANGES = ['new', 'fixed', 'stillFailing', 'noLongerDecided'] as const;

export const CHANGE_WORDS: Readonly<Record<(typeof CHANGES)[number], string>> = {
  new: 'new',
  fixed: 'fixed',
  stillFailing: 'still failing',
  noLongerDecided: 'no longer decided',
};

/** The changes that a case which fails can have. */
export const ROW_CHANGES = ['new', 'stillFailing'] as const satisfies readonly (typeof CHANGES)[number][];

/** What changed since an earlier run. */
export type Since = Readonly<Record<(typeof CHANGES)[number], readonly Change[]>> & {
  readonly run: string;
  readonly startedAt: string;
  readonly target: string;
};

/** The facts of an earlier run that a later one is compared with. */
export function earlierRun(report: ComparedReport): EarlierRun {
  const { run, startedAt, target, breadth } = report;
  const { failing, decided } = decidedPairs(report);
  return {
    type: 'earlier',
    run,
    startedAt,
    target,
    failing: Object.fromEntries(failing),
    decided: [...decided].sort(),
    ...(breadth && { breadth }),
  };
}

/**
 * Compares a run with an earlier one. What a run leaves out, because it is narrowed, has another depth or runs fewer
 * checks, is no change, unless it failed before: then nobody knows any more. Pure.
 */
export function sinceEarlier({ run, startedAt, target, ...earlier }: EarlierRun, report: ComparedReport): Since {
  const now = decidedPairs(report);
  const failed = new Map(Object.entries(earlier.failing));
  const notFailingNow = [...failed.keys()].filter((pair) => !now.failing.has(pair));
  // Without something that failed before, a requirement that passes now may be as broken as it was.
  const triesLess = earlier.breadth === 'whole' && report.breadth === 'telling';
  const isTriedAgain = (pair: string) => {
    const [requirement = ''] = pair.split(' ');
    const isTriedByCheck = (id: string) => !triesLess && now.decidedChecks.has(decidedId({ id, requirement }));
    return failed.get(pair)?.some((id) => now.decidedCases.has(id) || isTriedByCheck(id)) ?? false;
  };
  const isFixed = (pair: string) => now.decided.has(pair) && isTriedAgain(pair);
  const lost = notFailingNow.filter((pair) => !isFixed(pair));
  const left = earlier.decided.filter((pair) => !failed.has(pair) && !now.failing.has(pair) && isUndecided(now, pair));
  return {
    run,
    startedAt,
    target,
    new: changes([...now.failing.keys()].filter((pair) => !failed.has(pair))),
    fixed: changes(notFailingNow.filter(isFixed)),
    stillFailing: changes([...failed.keys()].filter((pair) => now.failing.has(pair))),
    noLongerDecided: changes([...lost, ...left]),
  };
}

/** One change for each requirement. */
function changes(pairs: readonly string[]): readonly Change[] {
  const units = new Map<string, string[]>();
  for (const pair of [...pairs].sort()) {
    const [requirement = '', unit = ''] = pair.split(' ');
    units.set(requirement, [...(units.get(requirement) ?? []), unit]);
  }
  return [...units].map(([requirement, found]) => ({ requirement, units: found }));
}

/** `Since the run of 2026-11-21 10:00 UTC (da012e5d)`. */
export function sinceTitle({ startedAt, run }: Since): string {
  return visible(`Since the run of ${startedAt.slice(0, 16).replace('T', ' ')} UTC (${run})`);
}
