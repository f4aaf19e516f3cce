import type { Aspect, Values } from '../contract/contract.ts';
import type { Suspect } from '../plan/expectation.ts';
import type { CaseVerdict } from './judge-cases.ts';
import type { Miss } from './miss.ts';

/** The values that a set of cases has in common. Empty if there are none. */
export type Conjunction = readonly { readonly aspect: Aspect; readonly value: string }[];

/** A wrong case with every requirement that it may be blamed on. */
export interface Missed {
  readonly verdict: CaseVerdict & { readonly miss: Miss };
  readonly suspects: readonly Suspect[];
}

// The order in which a person would name conditions. It also decides ties.
export const ASPECTS: readonly Aspect[] = [
  'kind',
  'family',
  'operation',
  'validity',
  'scope',
  'holding-form',
  'act-as',
  'auth-type',
  'header-case',
  'authorization',
  'body',
  'holding',
];
const MAX_CONDITIONS = 3;
/** Aspects by their index, as many as a place may name. */
const COMBINATIONS = combinations(ASPECTS.length, MAX_CONDITIONS);

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
 */
export function widestConjunction(
  missed: readonly Missed[],
  passes: readonly Values[],
  own: readonly Aspect[] = [],
): Explanation {
  const numbersOf = numbering();
  const wrong = missed.map(({ verdict }) => numbersOf(verdict.case.values));
  const right = passes.map(numbersOf);
  let best: { indices: readonly number[]; key: number; count: number } | undefined;
  for (const indices of [...COMBINATIONS, ...withOneOf(own)]) {
    if (best && best.count === missed.length && indices.length > best.indices.length) break;
    const counts = new Map<number, number>();
    for (const numbers of wrong) {
      const key = keyOf(numbers, indices);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const numbers of right) counts.delete(keyOf(numbers, indices));
    for (const [key, count] of counts) if (!best || count > best.count) best = { indices, key, count };
  }
  const first = missed[0];
  if (!best || !first) return { place: [], covered: missed.slice(0, 1) };
  const { indices, key } = best;
  const covered = missed.filter((_, index) => keyOf(wrong[index] ?? [], indices) === key);
  const sample = covered[0]?.verdict.case.values;
  const aspects = indices.flatMap((index) => ASPECTS[index] ?? []);
  return { covered, place: sample ? aspects.map((aspect) => ({ aspect, value: sample[aspect] })) : [] };
}

/** Gives a number to each value of each aspect. Places are compared by numbers, because texts take five times as long. */
function numbering(): (values: Values) => readonly number[] {
  const numbers = new Map<string, number>();
  return (values) =>
    ASPECTS.map((aspect) => {
      const number = numbers.get(values[aspect]) ?? numbers.size;
      numbers.set(values[aspect], number);
      return number;
    });
}

/** More than the contract has values, so that two places never have the same key. */
const MOST_VALUES = 2 ** 12;

/** The values of these aspects as one number. Four of them fit into the 53 bits of an exact number. */
function keyOf(numbers: readonly number[], indices: readonly number[]): number {
  let key = 0;
  for (const index of indices) key = key * MOST_VALUES + (numbers[index] ?? 0);
  return key;
}

/** Every combination of the most conditions, with one more of these aspects. */
function withOneOf(own: readonly Aspect[]): readonly (readonly number[])[] {
  return own
    .map((aspect) => ASPECTS.indexOf(aspect))
    .flatMap((index) =>
      COMBINATIONS.filter((indices) => indices.length === MAX_CONDITIONS && !indices.includes(index)).map((indices) => [
        ...indices,
        index,
      ]),
    );
}

/** Combinations of 0 to `max` of the indices below `count`, the smallest first. */
function combinations(count: number, max: number): readonly (readonly number[])[] {
  const all: number[][] = [[]];
  for (let from = 0; from < all.length; from += 1) {
    const base = all[from] ?? [];
    if (base.length === max) break;
    for (let next = (base.at(-1) ?? -1) + 1; next < count; next += 1) all.push([...base, next]);
  }
  return all;
}
