/** A group of items that passes as a whole, with what shows it. */
export interface Group<T, E> {
  readonly items: readonly T[];
  readonly evidence: E;
}
export interface Grouped<T, E> {
  readonly groups: readonly Group<T, E>[];
  /** Items that do not pass, not even alone. */
  readonly alone: readonly T[];
}

export interface Question<T, E> {
  /** What shows that the items pass, `no` if they do not, and `lost` if that is unknown. */
  readonly ask: (items: readonly T[]) => Promise<E | 'no' | 'lost'>;
  /** Items that a target treats alike. A bundle is split into its families before it is halved. */
  readonly familyOf: (item: T) => string;
  /** The number of bundles that may fail. The others are then left out. */
  readonly most: number;
}

/**
 * Splits the bundles until each part passes. Most items pass together, so this takes few questions. The parts of a bundle
 * that pass are then asked for together: a caller sends a request for each group and each refusal that it tests.
 */
export async function groupsThatPass<T, E extends object>(
  bundles: readonly (readonly T[])[],
  question: Question<T, E>,
): Promise<Grouped<T, E>> {
  const { ask, familyOf, most } = question;
  const passed = bundles.map((): Group<T, E>[] => []);
  const alone: T[] = [];
  const left = bundles.map((items, bundle) => ({ items, bundle }));
  let failed = 0;
  for (let part = left.shift(); part && failed < most; part = left.shift()) {
    const { items, bundle } = part;
    const evidence = items.length > 0 ? await ask(items) : 'lost';
    if (evidence === 'lost') continue;
    if (evidence !== 'no') {
      passed[bundle]?.push({ items, evidence });
      continue;
    }
    failed += 1;
    if (items.length === 1) alone.push(...items);
    else left.push(...parts(items, familyOf).map((smaller) => ({ items: smaller, bundle })));
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

/** The smallest part of the items for which something still holds. It holds for all of them. */
export async function smallest<T>(
  items: readonly T[],
  holds: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  if (items.length < 2) return items;
  for (const half of halves(items)) if (await holds(half)) return smallest(half, holds);
  // It takes items of both halves.
  let needed = items;
  for (const item of items) {
    const rest = needed.filter((other) => other !== item);
    if (rest.length > 0 && (await holds(rest))) needed = rest;
  }
  return needed;
}

function parts<T>(items: readonly T[], familyOf: (item: T) => string): readonly (readonly T[])[] {
  const families = [...new Set(items.map(familyOf))];
  if (families.length < 2) return halves(items);
  return families.map((family) => items.filter((item) => familyOf(item) === family));
}

function halves<T>(items: readonly T[]): readonly (readonly T[])[] {
  const half = Math.ceil(items.length / 2);
  return [items.slice(0, half), items.slice(half)];
}
