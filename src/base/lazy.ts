/** The same value each time, made when it is first asked for. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** The same for each key. */
export function lazyBy<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new Map<Key, () => T>();
  return (key) => {
    const known = made.get(key) ?? lazy(() => make(key));
    made.set(key, known);
    return known();
  };
}
