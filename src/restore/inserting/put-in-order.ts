// Inserted pages come last among their siblings: here they go to their places.
import { groupBy } from '../../base/index.ts';
import type { Page } from '../../contract/index.ts';
import type { ContentChange } from '../target/own-request.ts';
import { childrenNow, holdersIn, placeAfter } from '../steps/pages/page-siblings.ts';
import type { ApplyContext } from '../types.ts';
import { newIdsOf, type PageInsertion } from './page-insertion.ts';
import { writeTexts } from './write-texts.ts';

/** Moves them to where the snapshot has them among each other; they are the whole of the content. Says which moves were refused. */
export async function putInOrder(
  context: ApplyContext,
  insertion: PageInsertion,
  pages: readonly Page[],
): Promise<string[]> {
  const present = childrenNow(pages);
  const standing = { present, holders: holdersIn(present) };
  const siblings = groupBy(insertion.wanted, ({ above }) => above);
  const newIdOf = newIdsOf(context, insertion);
  const changes: ContentChange[] = [];
  for (const [above, own] of siblings) {
    const into = above === null ? null : newIdOf(above);
    if (into === undefined) continue;
    const ids = own.map(({ kind, key }) => context.ids.get(kind, key) ?? '');
    for (const [index, id] of ids.entries()) {
      const at = id === '' ? null : placeAfter(standing, { into, id, siblings: ids, index });
      if (at !== null) changes.push({ type: 'update_page', page: id, into, at });
    }
  }
  return writeTexts(context, insertion.path, { anew: changes, pages });
}
