/** One thing that `verify` checks. A point that nobody can check with this suite is `unknown`. */
export interface Point {
  readonly state: 'holds' | 'does not hold' | 'unknown';
  /** What holds, if it holds. */
  readonly text: string;
  /** What is wrong, one sentence each, with the file and the line. */
  readonly problems: readonly string[];
}

/** More problems of one point than anybody reads. */
const MOST_PROBLEMS = 5;

/** A point that holds if nothing is wrong. */
export function pointOf(text: string, problems: readonly string[]): Point {
  const more = problems.length - MOST_PROBLEMS;
  const shown = [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`${more} more of this kind`] : [])];
  return { state: problems.length === 0 ? 'holds' : 'does not hold', text, problems: shown };
}
