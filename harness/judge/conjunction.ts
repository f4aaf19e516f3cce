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
const COMBINATIONS = combinations(ASPECTS.length, MAX_CONDITIONS).map((indices) =>
  indices.flatMap((index) => ASPECTS[index] ?? []),
);

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
  let best: { aspects: readonly Aspect[]; key: string; count: number } | undefined;
  for (const aspects of [...COMBINATIONS, ...withOneOf(own)]) {
    if (best && best.count === missed.length && aspects.length > best.aspects.length) break;
    const keyOf = (values: Values) => aspects.map((aspect) => values[aspect]).join('|');
    const counts = new Map<string, number>();
    for (const { verdict } of missed) {
      const key = keyOf(verdict.case.values);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const values of passes) counts.delete(keyOf(values));
    for (const [key, count] of counts) if (!best || count > best.count) best = { aspects, key, count };
  }
  const first = missed[0];
  if (!best || !first) return { place: [], covered: missed.slice(0, 1) };
  const { aspects, key } = best;
  const covered = missed.filter(
    ({ verdict }) => aspects.map((aspect) => verdict.case.values[aspect]).join('|') === key,
  );
  const sample = covered[0]?.verdict.case.values;
  return { covered, place: sample ? aspects.map((aspect) => ({ aspect, value: sample[aspect] })) : [] };
}

/** Every combination of the most conditions, with one more of these aspects. */
function withOneOf(own: readonly Aspect[]): readonly (readonly Aspect[])[] {
  return own.flatMap((aspect) =>
    COMBINATIONS.filter((aspects) => aspects.length === MAX_CONDITIONS && !aspects.includes(aspect)).map((aspects) => [
      ...aspects,
      aspect,
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
