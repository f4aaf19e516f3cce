/** The same function, which works its value out when it is first asked. */
export function once<T>(make: () => T): () => T {
  const value = onceFor<undefined, T>(make);
  return () => value(undefined);
}

/** The same function, which works out the value of each key once. */
export function onceFor<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, { readonly value: T }>();
  return (key) => {
    const found = made.get(key) ?? { value: make(key) };
    made.set(key, found);
    return found.value;
  };
}
