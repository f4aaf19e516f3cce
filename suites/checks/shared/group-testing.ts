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

/** Splits the bundles until each passes. Most items pass together, so this takes few questions. */
export async function groupsThatPass<T, E extends object>(
  bundles: readonly (readonly T[])[],
  { ask, familyOf, most }: Question<T, E>,
): Promise<Grouped<T, E>> {
  const groups: Group<T, E>[] = [];
  const alone: T[] = [];
  const left = [...bundles];
  let failed = 0;
  for (let items = left.shift(); items && failed < most; items = left.shift()) {
    const evidence = items.length > 0 ? await ask(items) : 'lost';
    if (evidence === 'lost') continue;
    if (evidence !== 'no') {
      groups.push({ items, evidence });
      continue;
    }
    failed += 1;
    if (items.length === 1) alone.push(...items);
    else left.push(...parts(items, familyOf));
  }
  return { groups, alone };
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
