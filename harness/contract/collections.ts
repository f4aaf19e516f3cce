/** A value with these fields alone, in this order. */
export function picked<T, K extends keyof T>(value: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<T, K>;
}

/** An object with the same keys, and what each value becomes. */
export function mapped<T, R>(
  values: Readonly<Record<string, T>>,
  map: (value: T, name: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

/** What has the same key, which is at least one. */
type Groups<K, T> = ReadonlyMap<K, readonly [T, ...T[]]>;

/** Items by a key, in the order in which their keys come first. */
export function groupedBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Groups<K, T> {
  return listedBy(Array.from(items, (item) => [keyOf(item), item] as const));
}

export function listedBy<K, T>(pairs: Iterable<readonly [K, T]>): Groups<K, T> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const [key, item] of pairs) {
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export function setsOf<K, T>(pairs: Iterable<readonly [K, T]>): ReadonlyMap<K, ReadonlySet<T>> {
  return new Map([...listedBy(pairs)].map(([key, items]) => [key, new Set(items)]));
}

/** How often each item occurs, in the order in which they come first. */
export function tallied<T>(items: Iterable<T>): ReadonlyMap<T, number> {
  return new Map([...groupedBy(items, (item) => item)].map(([item, same]) => [item, same.length]));
}

/** The number of an item: how many others came before it. */
export function numberIn<T>(numbers: Map<T, number>, item: T): number {
  const known = numbers.get(item);
  if (known !== undefined) return known;
  numbers.set(item, numbers.size);
  return numbers.size - 1;
}

/** The items that are there: those of a condition that does not hold are `false`. */
export function given<T>(items: readonly (T | false | null | undefined)[]): readonly T[] {
  return items.filter((item): item is T => item !== false && item !== null && item !== undefined);
}

/** The names that came before in the list. */
export function repeatedIn(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
