import type { PageOptions, RawInput } from '../client/index.ts';
import type { PagedOperationName } from '../contract/index.ts';
import { Gathered, type Items } from './gathered.ts';
import type { WalkOptions } from './types.ts';
import type { Body } from './visits/parts.ts';

type Reading = Pick<WalkOptions, 'client' | 'settings' | 'signal'> &
  Pick<PageOptions, 'isSizeTaken' | 'isCountIgnored'>;

/** What a listing sent, to its end. */
export interface Listed<I extends Items = readonly Body[]> {
  readonly items: I;
  /** How many it counts itself (`count` of the list envelope); null where it does not say. */
  readonly count: number | null;
}

/** All items of a listing, page by page to its end. */
export async function readToEnd(
  reading: Reading,
  operation: PagedOperationName,
  input: RawInput = {},
): Promise<Listed> {
  const items: Body[] = [];
  const count = await readEach(reading, { operation, input }, (page) => items.push(...page));
  return { items, count };
}

/** The same, of a listing that may be longer than memory has room for; `kept` is what of an item is held, all of it when absent. */
export async function readPacked(
  { kept, ...reading }: Reading & { readonly kept: ((item: Body) => Body) | undefined },
  operation: PagedOperationName,
  input: RawInput,
): Promise<Listed<Items>> {
  const gathered = new Gathered();
  const count = await readEach(reading, { operation, input }, (page) => gathered.add(kept ? page.map(kept) : page));
  return { items: gathered.items(), count };
}

interface Asking {
  readonly operation: PagedOperationName;
  readonly input: RawInput;
}

/** Answers how many the listing counts. */
async function readEach(
  { client, settings, signal, isSizeTaken, isCountIgnored }: Reading,
  { operation, input }: Asking,
  take: (items: readonly Body[]) => void,
): Promise<number | null> {
  let count: number | null = null;
  const paging = { pageSize: settings.pageSize, signal, isSizeTaken, isCountIgnored };
  for await (const page of client.paginateRaw(operation, input, paging)) {
    take(page.items);
    count = page.count ?? null;
  }
  return count;
}

/** How many fewer it sent than it counts. */
export function shortOf({ items, count }: Listed<Items>): number {
  return Math.max(0, (count ?? 0) - items.length);
}
