import { type Lack, textOfLack } from '../plan/case.ts';
import { globOf } from '../plan/glob.ts';
import type { Decision } from '../record/exchange.ts';
import { type Decided, type Subject, subjectsOf } from './baseline-subjects.ts';

/** The reason of an entry that a run wrote, until somebody fills it in. */
export const UNEXPLAINED = 'to fill in';
/** For so many days, an entry may stand without a reason. */
export const DAYS_TO_EXPLAIN = 30;

/** Lists something known: a requirement, the cases and checks that a glob matches, or these of a requirement. */
export interface BaselineEntry {
  readonly requirement?: string;
  readonly cases?: string;
  readonly reason: string;
  /** The day by which somebody must review the entry, YYYY-MM-DD. */
  readonly review: string;
}
export interface Baseline {
  /** Known failures. */
  readonly deviations: readonly BaselineEntry[];
  /** Claimed requirements and cases that cannot be tested because a variable is missing. */
  readonly gaps: readonly BaselineEntry[];
  /** Review dates before this day are overdue, YYYY-MM-DD. */
  readonly today: string;
}
/** `undecided`: this run cannot tell. `matches nothing`: it plans nothing that the entry matches. */
export type Standing = 'occurs' | 'no longer occurs' | 'undecided' | 'matches nothing';
export interface Listed extends BaselineEntry {
  readonly list: 'deviation' | 'gap';
  readonly standing: Standing;
  readonly overdue: boolean;
  /** The number of failing or untestable cases and decisions that it lists. A warning needs no entry. */
  readonly covers: number;
}
export interface BaselineVerdict {
  readonly today: string;
  readonly entries: readonly Listed[];
  /** The index of the entry that lists a case or a decision. */
  readonly listed: ReadonlyMap<string | Decision, number>;
  /** True if something fails that no entry lists. */
  readonly deviates: boolean;
  /** Whether everything that is untestable about a requirement in a unit, for one reason, is an accepted gap. */
  accepts(requirement: string, unit: string, lack: Lack): boolean;
}

/** Compares what was decided with the entries of a baseline. Pure. */
export function judgeBaseline(input: Decided & { readonly baseline: Baseline }): BaselineVerdict {
  const { deviations, gaps, today } = input.baseline;
  const subjects = subjectsOf(input);
  const listed = new Map<string | Decision, number>();
  const entries = [...deviations, ...gaps].map((entry, index): Listed => {
    const list = index < deviations.length ? 'deviation' : 'gap';
    const matched = subjects.filter(matcherOf(entry));
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
      if (gaps.some((entry) => entry.requirement === requirement && entry.cases === undefined)) return true;
      const globs = gaps.filter(({ cases }) => cases !== undefined).map(matcherOf);
      const untestable = subjects.filter(
        (subject) =>
          subject.state === 'untestable' &&
          subject.unit === unit &&
          subject.reason === textOfLack(lack) &&
          subject.requirements.includes(requirement),
      );
      return untestable.length > 0 && untestable.every((subject) => globs.some((matches) => matches(subject)));
    },
  };
}

function matcherOf({ requirement, cases }: BaselineEntry): (subject: Subject) => boolean {
  const matches = cases === undefined ? () => true : globOf(cases);
  return ({ names, requirements }) =>
    (requirement === undefined || requirements.includes(requirement)) && names.some(matches);
}

function standingOf(list: Listed['list'], matched: readonly Subject[], covered: number): Standing {
  if (covered > 0) return 'occurs';
  if (matched.length === 0) return 'matches nothing';
  const has = (...states: readonly Subject['state'][]) => matched.some(({ state }) => states.includes(state));
  if (list === 'gap') return has('undecided', 'untestable') ? 'undecided' : 'no longer occurs';
  // A missed recommendation is still a deviation, even though it only warns.
  if (has('warns')) return 'occurs';
  return has('undecided', 'untestable', 'not-needed') ? 'undecided' : 'no longer occurs';
}
