import { globOf } from '../plan/glob.ts';
import { type Lack, textOfLack } from '../plan/lack.ts';
import type { Decision } from '../record/exchange.ts';
import { type Decided, type Subject, subjectsOf } from './baseline-subjects.ts';

/** One thing that is known: a requirement, or the cases and checks that a glob matches. */
export interface BaselineEntry {
  readonly requirement?: string;
  readonly cases?: string;
  readonly reason: string;
  /** The last day on which it may stand unreviewed, YYYY-MM-DD. */
  readonly review: string;
}
export interface Baseline {
  /** Failures that are known. */
  readonly deviations: readonly BaselineEntry[];
  /** What is claimed and lacks a variable, and is accepted as it is. */
  readonly gaps: readonly BaselineEntry[];
  /** The day that review dates are held against. */
  readonly today: string;
}
/**
 * `undecided`: this run cannot tell. `matches nothing`: nothing that this run plans, at its depth and with its claims.
 */
export const STANDINGS = ['occurs', 'no longer occurs', 'undecided', 'matches nothing'] as const;
export type Standing = (typeof STANDINGS)[number];
/** An entry, and what this run makes of it. */
export interface Listed extends BaselineEntry {
  readonly list: 'deviation' | 'gap';
  readonly standing: Standing;
  readonly overdue: boolean;
  /** Failing cases and decisions, or untestable ones, that it lists; a warning needs no entry. */
  readonly covers: number;
}
export interface BaselineVerdict {
  readonly today: string;
  readonly entries: readonly Listed[];
  /** The entry that lists a case or a decision, by index. */
  readonly listed: ReadonlyMap<string | Decision, number>;
  /** Something fails that no entry lists. */
  readonly deviates: boolean;
  /** Whether everything that a requirement lacks in a unit, for one reason, is an accepted gap. */
  accepts(requirement: string, unit: string, lack: Lack): boolean;
}
export interface BaselineInput extends Decided {
  readonly baseline: Baseline;
}

/** Holds what was decided against what is listed. Pure. */
export function judgeBaseline(input: BaselineInput): BaselineVerdict {
  const { deviations, gaps, today } = input.baseline;
  const subjects = subjectsOf(input);
  const listed = new Map<string | Decision, number>();
  const matchers = [...deviations, ...gaps].map(matcherOf);
  const entries = [...deviations, ...gaps].map((entry, index): Listed => {
    const list = index < deviations.length ? 'deviation' : 'gap';
    const matched = subjects.filter(matchers[index] ?? (() => false));
    const covered = matched.filter(({ state }) => state === (list === 'gap' ? 'untestable' : 'fails'));
    for (const { key } of covered) if (!listed.has(key)) listed.set(key, index);
    const standing = standingOf(list, matched, covered.length);
    return { ...entry, list, standing, overdue: entry.review < today, covers: covered.length };
  });
  return {
    today,
    entries,
    listed,
    deviates: subjects.some(({ key, state }) => state === 'fails' && !listed.has(key)),
    accepts(requirement, unit, lack) {
      if (gaps.some((entry) => entry.requirement === requirement)) return true;
      const globs = gaps.filter(({ cases }) => cases !== undefined).map(matcherOf);
      const behind = subjects.filter(
        (subject) =>
          subject.state === 'untestable' &&
          subject.unit === unit &&
          subject.reason === textOfLack(lack) &&
          subject.requirements.includes(requirement),
      );
      return behind.length > 0 && behind.every((subject) => globs.some((matches) => matches(subject)));
    },
  };
}

function matcherOf({ requirement, cases }: BaselineEntry): (subject: Subject) => boolean {
  if (requirement !== undefined) return ({ requirements }) => requirements.includes(requirement);
  const matches = globOf(cases ?? '');
  return ({ names }) => names.some(matches);
}

function standingOf(list: Listed['list'], matched: readonly Subject[], covered: number): Standing {
  if (covered > 0) return 'occurs';
  if (matched.length === 0) return 'matches nothing';
  const has = (...states: readonly Subject['state'][]) => matched.some(({ state }) => states.includes(state));
  // What is only recommended is missed all the same.
  if (list === 'deviation' && has('warns')) return 'occurs';
  return has('undecided', 'untestable') || (list === 'deviation' && has('spare')) ? 'undecided' : 'no longer occurs';
}
