/** A group of items that passes as a whole, with what shows it. */
export interface Group<T, E> {
  readonly items: readonly T[];
  readonly evidence: E;
}
/** What is in neither list is not known: no answer came, or too much failed before it was asked for. */
export interface Grouped<T, E> {
  readonly groups: readonly Group<T, E>[];
  /** Items that do not pass, not even alone. */
  readonly alone: readonly T[];
}

export interface Question<T, E> {
  /** What shows that the items pass, `no` if they do not, and `lost` if that is unknown. */
  readonly ask: (items: readonly T[]) => Promise<E | 'no' | 'lost'>;
  /** Items that a target treats alike, from the widest families to the narrowest. A bundle is split into families before it is halved. */
  readonly familiesOf: readonly ((item: T) => string)[];
  /** The number of bundles that may fail. The others are then left out. */
  readonly most: number;
  /** The number of parts that may pass, for what a target must not accept too often. By default any. */
  readonly mostPassed?: number;
}

/** Each question without an answer takes as long as the patience for it. */
export const MOST_LOST = 8;
/** No question waits for another. More at once than this would take connections from others. */
export const AT_ONCE = 8;

/**
 * Splits the bundles until each part passes. Most items pass together, so this takes few questions. The parts of a bundle
 * that pass are then asked for together: a caller sends a request for each group and each refusal that it tests.
 */
export async function groupsThatPass<T, E extends object>(
  bundles: readonly (readonly T[])[],
  question: Question<T, E>,
): Promise<Grouped<T, E>> {
  const { ask, familiesOf, most, mostPassed = Number.POSITIVE_INFINITY } = question;
  const passed = bundles.map((): Group<T, E>[] => []);
  const alone: T[] = [];
  const left = bundles.flatMap((items, bundle) => (items.length > 0 ? [{ items, bundle }] : []));
  let [failures, losses] = [0, 0];
  const passes = () => passed.reduce((sum, { length }) => sum + length, 0);
  while (left.length > 0 && failures < most && losses < MOST_LOST && passes() < mostPassed) {
    // The first alone: if it is lost, others may be, too.
    const isFirst = failures + losses + passes() === 0;
    const parts = left.splice(0, isFirst ? 1 : Math.min(AT_ONCE, mostPassed - passes()));
    const asked = await Promise.all(parts.map(async (part) => ({ ...part, evidence: await ask(part.items) })));
    for (const { items, bundle, evidence } of asked) {
      if (evidence !== 'no' && evidence !== 'lost') {
        passed[bundle]?.push({ items, evidence });
        continue;
      }
      if (evidence === 'no') failures += 1;
      else losses += 1;
      if (items.length > 1) left.push(...partsOf(items, familiesOf).map((smaller) => ({ items: smaller, bundle })));
      else if (evidence === 'no') alone.push(...items);
    }
  }
  const groups: Group<T, E>[] = [];
  for (const [bundle, found] of passed.entries())
    groups.push(...(await together(found, bundles[bundle]?.length ?? 0, question)));
  return { groups, alone };
}

/** One group instead of these, if it passes. All items of a bundle did not. @param all the size of the bundle. */
async function together<T, E extends object>(
  groups: readonly Group<T, E>[],
  all: number,
  { ask }: Question<T, E>,
): Promise<readonly Group<T, E>[]> {
  if (groups.length < 2) return groups;
  const items = groups.flatMap((group) => group.items);
  if (items.length === all) return groups;
  const evidence = await ask(items);
  return evidence === 'no' || evidence === 'lost' ? groups : [{ items, evidence }];
}

/** The smallest part of a group for which something still shows, with what shows it. @param ask undefined if nothing does. */
export async function smallest<T, E>(
  all: Group<T, E>,
  ask: (part: readonly T[]) => Promise<E | undefined>,
): Promise<Group<T, E>> {
  const { items } = all;
  if (items.length < 2) return all;
  for (const half of halves(items)) {
    const evidence = await ask(half);
    if (evidence !== undefined) return smallest({ items: half, evidence }, ask);
  }
  // It takes items of both halves.
  let needed = all;
  for (const item of items) {
    const rest = needed.items.filter((other) => other !== item);
    const evidence = rest.length > 0 ? await ask(rest) : undefined;
    if (evidence !== undefined) needed = { items: rest, evidence };
  }
  return needed;
}

function partsOf<T>(items: readonly T[], familiesOf: Question<T, never>['familiesOf']): readonly (readonly T[])[] {
  for (const familyOf of familiesOf) {
    const families = [...new Set(items.map(familyOf))];
    if (families.length > 1) return families.map((family) => items.filter((item) => familyOf(item) === family));
  }
  return halves(items);
}

function halves<T>(items: readonly T[]): readonly (readonly T[])[] {
  const half = Math.ceil(items.length / 2);
  return [items.slice(0, half), items.slice(half)];
}
