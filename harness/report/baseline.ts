import { picked } from '../contract/collections.ts';
import { type BaselineVerdict, type Listed, type Standing, UNEXPLAINED } from '../judge/baseline.ts';

export interface ReportedBaseline {
  /** Review dates before this day are overdue, YYYY-MM-DD. */
  readonly today: string;
  readonly entries: readonly ReportedEntry[];
}
interface ReportedEntry extends Omit<Listed, 'requirement' | 'cases'> {
  /** The requirement, the glob, or both: `token.expired in search/USER/**`. */
  readonly names: string;
}

const ENTRY = ['reason', 'review', 'overdue', 'standing', 'covers'] as const;

export function reportBaseline(baseline: BaselineVerdict | undefined): ReportedBaseline | null {
  if (!baseline) return null;
  const { today, entries } = baseline;
  const namesOf = ({ requirement, cases }: Listed) =>
    [requirement, cases].filter((name) => name !== undefined).join(' in ');
  return {
    today,
    entries: entries.map((entry) => ({ list: entry.list, names: namesOf(entry), ...picked(entry, ENTRY) })),
  };
}

/** What to do about an entry. Empty if there is nothing to do. */
export function adviceOn({ standing, overdue, reason, review }: ReportedEntry): readonly string[] {
  return [
    ...(reason === UNEXPLAINED ? [`has no reason yet: fill it in by ${review}, or runs end with exit 2`] : []),
    ...(overdue ? [`was due for review on ${review}: review it`] : []),
    ...ON_STANDING[standing],
  ];
}

const ON_STANDING: Readonly<Record<Standing, readonly string[]>> = {
  occurs: [],
  'no longer occurs': ['no longer occurs: take it out'],
  undecided: ['this run cannot tell whether it still occurs'],
  'matches nothing': ['matches nothing that this run plans'],
};

/** Why a failing or untestable case does not change the ending. Undefined if no entry lists it. */
export function listedAs(baseline: ReportedBaseline | null, index: number | undefined): string | undefined {
  const entry = index === undefined ? undefined : baseline?.entries[index];
  if (!entry) return undefined;
  const { list, reason, review } = entry;
  return `${list === 'gap' ? 'accepted gap' : 'known deviation'}, review by ${review}: ${reason}`;
}
