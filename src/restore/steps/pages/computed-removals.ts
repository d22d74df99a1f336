// Computed pages that are not in the snapshot. Some platforms take the entry away that they are made from; others know no page to be edited
// there, and refuse a whole batch for it.
import type { Page } from '../../../contract/index.ts';
import { hasStatus, NOT_TAKEN, STANDS_AGAINST } from '../../answers.ts';
import { pagesById } from '../../special/page-places.ts';
import type { ApplyContext } from '../../types.ts';
import type { RequestPath } from '../../target/content-there.ts';
import { sendChanges, type ContentChange } from '../../target/own-request.ts';

interface ComputedPages {
  readonly computed: readonly ContentChange[];
  readonly pages: readonly Page[];
}

/** Each by itself; what is refused goes with what it is made from. Says of which that is so. */
export async function takeComputed(
  context: ApplyContext,
  path: RequestPath,
  { computed, pages }: ComputedPages,
): Promise<string[]> {
  const standing = pagesById(pages);
  const problems: string[] = [];
  for (const change of computed) {
    const taken = await sendChanges(context, path, [change]).catch(nullWhereRefused);
    if (taken === null && 'page' in change)
      problems.push(`page ${standing.get(change.page)?.title ?? change.page} goes only with what it is computed from`);
  }
  return problems;
}

function nullWhereRefused(error: unknown): null {
  if (hasStatus(error, NOT_REMOVED)) return null;
  throw error;
}

const NOT_REMOVED = [...NOT_TAKEN, ...STANDS_AGAINST];
