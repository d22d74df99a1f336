/** What a listing holds, one after the other; the next page is asked for once it is needed. */
export async function* itemsOf<T>(pages: AsyncIterable<{ readonly items: readonly T[] }>): AsyncIterable<T> {
  for await (const { items } of pages) yield* items;
}
