import type { Aspect, Contract, Values } from '../contract/contract.ts';
import type { Suspect } from '../plan/expectation.ts';
import type { CaseVerdict } from './judge-cases.ts';
import type { Miss } from './miss.ts';

/** The values that a set of cases has in common. Empty if there are none. */
export type Conjunction = readonly { readonly aspect: Aspect; readonly value: string }[];

/** Whether a case has all of these values. */
export function isIn(place: Conjunction, values: Values): boolean {
  return place.every(({ aspect, value }) => values[aspect] === value);
}

/** A wrong case with every requirement that it may be blamed on. */
export interface Missed {
  readonly verdict: CaseVerdict & { readonly miss: Miss };
  readonly suspects: readonly Suspect[];
}

/** What a condition can name, in the order in which a person would. It also decides ties. */
export const aspectsOf = ({ headers }: Pick<Contract, 'headers'>): readonly Aspect[] => [
  'kind',
  'family',
  'operation',
  'validity',
  'scope',
  'holding-form',
  ...headers,
  'header-case',
  'authorization',
  'body',
  'holding',
];
const MAX_CONDITIONS = 3;

/** A conjunction and the misses that it covers. */
export interface Explanation {
  readonly place: Conjunction;
  readonly covered: readonly Missed[];
}

/**
 * The conjunction that covers the most misses and no pass. Among equals, the smallest. If every conjunction covers a
 * pass, one miss without conditions.
 * @param own the aspects in which the rules of the requirement differ. One of them may be a fourth condition, because it
 * only says which of the rules is broken.
 * @param aspects what a condition can name (aspectsOf).
 */
export function widestConjunction(
  aspects: readonly Aspect[],
  missed: readonly Missed[],
  passes: readonly Values[],
  own: readonly Aspect[],
): Explanation {
  const { rowOf, keyOf } = numbering(aspects, [...missed.map(({ verdict }) => verdict.case.values), ...passes]);
  const rows = missed.map(({ verdict }) => rowOf(verdict.case.values));
  const passing = passes.map(rowOf);
  let best: { named: readonly Aspect[]; key: number; count: number } | undefined;
  for (const named of [...combinations(aspects), ...withOneOf(aspects, own)]) {
    // Those that follow have as many conditions or more, and none covers more.
    if (best?.count === missed.length) break;
    const indexes = indexesOf(aspects, named);
    const counts = new Map<number, number>();
    for (const row of rows) {
      const key = keyOf(row, indexes);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const row of passing) {
      if (counts.size === 0) break;
      counts.delete(keyOf(row, indexes));
    }
    for (const [key, count] of counts) if (!best || count > best.count) best = { named, key, count };
  }
  const first = missed[0];
  if (!best || !first) return { place: [], covered: missed.slice(0, 1) };
  const { named, key } = best;
  const indexes = indexesOf(aspects, named);
  const covered = missed.filter((_, index) => keyOf(rows[index] ?? [], indexes) === key);
  const sample = covered[0]?.verdict.case.values;
  return { covered, place: sample ? named.map((aspect) => ({ aspect, value: sample[aspect] ?? '' })) : [] };
}

/** A case as the number of its value in each aspect. */
type Row = readonly number[];

/** Numbers the values of cases: thousands of cases are compared, and numbers take a fifth of the time that texts take. */
function numbering(aspects: readonly Aspect[], cases: readonly Values[]) {
  const numbers = aspects.map((aspect) => {
    const values = new Set(cases.map((one) => one[aspect]));
    return new Map([...values].map((value, number) => [value, number]));
  });
  const base = Math.max(...numbers.map(({ size }) => size));
  return {
    rowOf: (values: Values): Row => aspects.map((aspect, index) => numbers[index]?.get(values[aspect]) ?? 0),
    /** One number for the values in these aspects. */
    keyOf(row: Row, indexes: readonly number[]): number {
      let key = 0;
      for (const index of indexes) key = key * base + (row[index] ?? 0);
      return key;
    },
  };
}

function indexesOf(aspects: readonly Aspect[], named: readonly Aspect[]): readonly number[] {
  return named.map((aspect) => aspects.indexOf(aspect));
}

/** The combinations with one more of these aspects. */
function withOneOf(aspects: readonly Aspect[], own: readonly Aspect[]): readonly (readonly Aspect[])[] {
  const all = combinations(aspects);
  return own.flatMap((aspect) => all.map((named) => [...named, aspect]));
}

/** Every combination of at most so many aspects as a cause may have conditions, the smallest first. */
function combinations(aspects: readonly Aspect[]): readonly (readonly Aspect[])[] {
  const all: (readonly Aspect[])[] = [[]];
  // The list grows while it is read.
  for (const base of all) {
    if (base.length === MAX_CONDITIONS) break;
    const last = base.at(-1);
    const later = last === undefined ? aspects : aspects.slice(aspects.indexOf(last) + 1);
    all.push(...later.map((aspect) => [...base, aspect]));
  }
  return all;
}
