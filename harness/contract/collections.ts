/** A value with these fields alone, in this order. */
export function picked<T, K extends keyof T>(value: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<T, K>;
}

/** Items by a key, in the order in which their keys come first. */
export function groupedBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** How often each item occurs, in the order in which they come first. */
export function tallied<T>(items: Iterable<T>): ReadonlyMap<T, number> {
  return new Map([...groupedBy(items, (item) => item)].map(([item, same]) => [item, same.length]));
}

/** The items that are there: those of a condition that does not hold are `false`. */
export function given<T>(items: readonly (T | false | null | undefined)[]): readonly T[] {
  return items.filter((item): item is T => item !== false && item !== null && item !== undefined);
}

/** The names that came before in the list. */
export function repeatedIn(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
