import type { PageOptions, RawInput } from '../client/index.ts';
import type { PagedOperationName } from '../contract/index.ts';
import type { WalkOptions } from './types.ts';
import type { Body } from './visits/parts.ts';

type Reading = Pick<WalkOptions, 'client' | 'settings' | 'signal'> & Pick<PageOptions, 'isSizeTaken'>;

/** All items of a listing, page by page to its end. */
export async function readToEnd(
  { client, settings, signal, isSizeTaken }: Reading,
  operation: PagedOperationName,
  input: RawInput = {},
): Promise<Body[]> {
  const items: Body[] = [];
  const paging = { pageSize: settings.pageSize, signal, isSizeTaken };
  for await (const page of client.paginateRaw(operation, input, paging)) items.push(...page.items);
  return items;
}
