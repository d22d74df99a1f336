import type { PageOptions, RawInput } from '../client/index.ts';
import type { PagedOperationName } from '../contract/index.ts';
import type { WalkOptions } from './types.ts';
import type { Body } from './visits/parts.ts';

type Reading = Pick<WalkOptions, 'client' | 'settings' | 'signal'> &
  Pick<PageOptions, 'isSizeTaken' | 'isCountIgnored'>;

/** What a listing sent, to its end. */
export interface Listed {
  readonly items: readonly Body[];
  /** How many it counts itself (`count` of the list envelope); null where it does not say. */
  readonly count: number | null;
}

/** All items of a listing, page by page to its end. */
export async function readToEnd(
  { client, settings, signal, isSizeTaken, isCountIgnored }: Reading,
  operation: PagedOperationName,
  input: RawInput = {},
): Promise<Listed> {
  const items: Body[] = [];
  let count: number | null = null;
  const paging = { pageSize: settings.pageSize, signal, isSizeTaken, isCountIgnored };
  for await (const page of client.paginateRaw(operation, input, paging)) {
    items.push(...page.items);
    count = page.count ?? null;
  }
  return { items, count };
}

/** How many fewer it sent than it counts. */
export function shortOf({ items, count }: Listed): number {
  return Math.max(0, (count ?? 0) - items.length);
}
