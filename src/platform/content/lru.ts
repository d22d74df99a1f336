/** Remembers the most recently used values, up to a number of them. */
export interface Lru<Value> {
  /** The value of the key, made and kept when it is not there. */
  get(key: string, make: () => Value): Value;
}

export function createLru<Value>(capacity: number): Lru<Value> {
  const kept = new Map<string, Value>();
  return {
    get: (key, make) => {
      const found = kept.get(key) ?? make();
      kept.delete(key);
      kept.set(key, found);
      const oldest = kept.keys().next();
      if (kept.size > capacity && !oldest.done) kept.delete(oldest.value);
      return found;
    },
  };
}
