// The edits of a mend, in batches: one that the target refuses is not to keep the others away.
import { isNotOffered, hasStatus, NOT_TAKEN, STANDS_AGAINST } from '../../answers.ts';
import { sendByHalves } from '../../inserting/refusals.ts';
import type { Untaken } from '../../journal/untaken.ts';
import { pagesById } from '../../special/page-places.ts';
import type { Page } from '../../../contract/index.ts';
import type { ApplyContext } from '../../types.ts';
import type { RequestPath } from '../../target/content-there.ts';
import { batchesOf, sendBatch, type ContentChange, sendChanges } from '../../target/own-request.ts';

interface Edits {
  readonly path: RequestPath;
  readonly changes: readonly ContentChange[];
  /** The pages as they stand, for their titles. */
  readonly pages: readonly Page[];
}

interface Edited {
  /** The revision of the change request that they made, empty where there were none; null when the target does not offer the operation. */
  readonly revision: string | null;
  readonly refused: readonly Untaken[];
}

export async function sendEdits(context: ApplyContext, { path, changes, pages }: Edits): Promise<Edited> {
  const standing = pagesById(pages);
  const refused = new Map<string, Untaken>();
  let revision = '';
  const send = async (batch: readonly ContentChange[]): Promise<void> => {
    revision = await sendBatch(context, path, batch);
  };
  const nameOf = (change: ContentChange): string => ('page' in change ? change.page : change.type);
  const onRefused = (change: ContentChange, { message: why }: Error): void => {
    const id = nameOf(change);
    refused.set(id, { kind: 'page', id, title: standing.get(id)?.title ?? id, what: 'edit', why });
  };
  for (const [index, batch] of batchesOf(changes).entries()) {
    try {
      await sendByHalves(batch, { send, nameOf, onRefused });
    } catch (error) {
      if (index === 0 && isNotOffered(error)) return { revision: null, refused: [] };
      throw error;
    }
  }
  return { revision, refused: [...refused.values()] };
}

interface ComputedPages {
  readonly computed: readonly ContentChange[];
  readonly pages: readonly Page[];
}

/**
 * Computed pages that are to go, each by itself: some platforms take away what they are made from, others refuse a whole batch for them.
 * Says which go only with what they are made from.
 */
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
