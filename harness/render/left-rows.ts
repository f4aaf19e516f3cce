import { type Left, leftInWords } from '../report/left.ts';
import { amount } from './amounts.ts';

const MOST_NAMED = 3;

/** Things of one kind that are still on the target. */
export interface LeftRow {
  readonly words: string;
  /** The first names, `3f2a, 77b0, 91cc and 4 more`. Empty if the target gives none. */
  readonly names: string;
}

/** What a run left on the target, for a report with little space. report.json has more names. */
export function leftRows(left: readonly Left[]): readonly LeftRow[] {
  return left.map((one) => {
    const more = one.created - one.removed - MOST_NAMED;
    const names = one.ids.slice(0, MOST_NAMED).join(', ');
    return { words: leftInWords(one), names: names !== '' && more > 0 ? `${names} and ${amount(more)} more` : names };
  });
}
