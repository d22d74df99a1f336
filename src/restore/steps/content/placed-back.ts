// In a change request that stands: an import knows pages by their addresses, so those that were moved in it or renamed go back first.
import { pagesInOrder, type ContentSource } from '../../content/import-parts.ts';
import { slugIn } from '../../inserting/page-insertion.ts';
import { pagesById } from '../../special/page-places.ts';
import type { ApplyContext } from '../../types.ts';
import { contentOf, type RequestPath } from '../../target/content-there.ts';
import { sendChanges, type ContentChange } from '../../target/own-request.ts';
import { childrenNow, holdersIn } from '../pages/page-siblings.ts';

/** Says which cannot: an import makes those a second time. */
export async function placedBack(context: ApplyContext, source: ContentSource, path: RequestPath): Promise<string[]> {
  if (context.live?.one('change-request', `${source.space}/${source.changeRequest ?? ''}`) === undefined) return [];
  const { pages } = await contentOf(context, path);
  const there = pagesById(pages);
  const holders = holdersIn(childrenNow(pages));
  // What was a group or a document may be a link by now, which holds no pages.
  const holds = (parent: string | null): boolean => parent === null || (there.get(parent)?.type ?? 'link') !== 'link';
  const changes: ContentChange[] = [];
  const stay: string[] = [];
  for (const { id, parent, body } of pagesInOrder(context.reader, source)) {
    const now = there.get(id);
    if (now === undefined || now.type === 'link') continue;
    const isMoved = (holders.get(id) ?? null) !== parent;
    if (isMoved && !holds(parent)) stay.push(now.title);
    const slug = slugIn(body);
    const own = {
      ...(isMoved && holds(parent) ? { into: parent } : {}),
      ...(slug === null || slug === now.slug ? {} : { slug }),
    };
    if (Object.keys(own).length > 0) changes.push({ type: 'update_page', page: id, ...own });
  }
  if ((await sendChanges(context, path, changes)) === null) return changes.length === 0 ? [] : [NOT_OFFERED];
  return stay.map(
    (title) => `page ${title} is in the change request a second time: what it stood below is gone from that`,
  );
}

const NOT_OFFERED =
  'the target has no operation that edits pages: those that were moved or renamed in the change request are in it a second time';
