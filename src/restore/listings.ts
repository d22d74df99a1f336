// Listings of the target, item by item; the next page is asked for once it is needed.

type Pages<T> = AsyncIterable<{ readonly items: readonly T[] }>;

/** What a listing holds, one after the other. */
export async function* itemsOf<T>(pages: Pages<T>): AsyncIterable<T> {
  for await (const { items } of pages) yield* items;
}

export async function allOf<T>(pages: Pages<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const { items } of pages) all.push(...items);
  return all;
}

/** The first that is as asked for; undefined where none is. */
export async function findItem<T>(pages: Pages<T>, isIt: (item: T) => boolean): Promise<T | undefined> {
  for await (const item of itemsOf(pages)) if (isIt(item)) return item;
  return undefined;
}
