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
const COMBINATIONS = combinations();

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
  own: readonly Aspect[],
): Explanation {
  let best: { aspects: readonly Aspect[]; key: string; count: number } | undefined;
  for (const aspects of [...COMBINATIONS, ...withOneOf(own)]) {
    // Those that follow have as many conditions or more, and none covers more.
    if (best?.count === missed.length) break;
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

/** The combinations with one more of these aspects. */
function withOneOf(own: readonly Aspect[]): readonly (readonly Aspect[])[] {
  return own.flatMap((aspect) => COMBINATIONS.map((aspects) => [...aspects, aspect]));
}

/** Every combination of at most so many aspects as a cause may have conditions, the smallest first. */
function combinations(): readonly (readonly Aspect[])[] {
  const all: (readonly Aspect[])[] = [[]];
  // The list grows while it is read.
  for (const base of all) {
    if (base.length === MAX_CONDITIONS) break;
    const last = base.at(-1);
    const later = last === undefined ? ASPECTS : ASPECTS.slice(ASPECTS.indexOf(last) + 1);
    all.push(...later.map((aspect) => [...base, aspect]));
  }
  return all;
}
