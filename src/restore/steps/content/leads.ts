// Where link pages lead on the target: the addresses at which its app shows what was restored.
import { lazyBy } from '../../../base/index.ts';
import { appAddress } from '../../../export/index.ts';
import type { Page } from '../../../contract/index.ts';
import { pagesInOrder, textIn, type ContentSource, type Lead } from '../../content/import-parts.ts';
import { idsWithin } from '../../journal/id-map.ts';
import { LinkPages, nameOf, type Referred } from '../../links/link-pages.ts';
import { pagesAsked } from '../../selection/chosen-content.ts';
import { pagesById } from '../../special/page-places.ts';
import { keyAbove, lastOf } from '../../resource.ts';
import type { ApplyContext } from '../../types.ts';
import { contentOf, type ContentPath } from '../../target/content-there.ts';

/** The source with what its link pages lead to, and its texts by address; reads of the target only what they refer to. */
export async function withLeads(
  context: ApplyContext,
  source: ContentSource,
  into: ContentPath,
): Promise<ContentSource> {
  const linkPages = new LinkPages(context.reader, source, context.addresses);
  const leads = new Map<string, Lead>();
  const there = lazyBy((spaceId: string) => pagesIn(context, spaceId === into.spaceId ? into : { spaceId }));
  for (const page of pagesInOrder(context.reader, source)) {
    const referred = linkPages.referred(page);
    if (referred === null || leads.has(nameOf(referred))) continue;
    const id = newIdOf(context, source, referred);
    if (id === undefined) continue;
    leads.set(nameOf(referred), { id, address: await addressOf({ context, source, there }, referred, id) });
  }
  const leading = { own: source.space, texts: textsOf(context, source) };
  // Content that is made anew stands by then where it will stay; in place a space may have been written since it was read.
  const isWritten = context.live !== null && source.changeRequest === undefined;
  await (isWritten ? context.shown.read(context, leading) : context.shown.readMissing(context, leading));
  return { ...source, leads };
}

function* textsOf({ reader, plan }: ApplyContext, source: ContentSource): IterableIterator<string> {
  const asked = pagesAsked(plan, source);
  for (const { id, key } of pagesInOrder(reader, source))
    if (asked?.has(key) !== false) yield textIn(reader, source, { id, key });
}

/** In a change request a page is the one that it proposes before that of its space. */
function newIdOf({ ids }: ApplyContext, source: ContentSource, { kind, key }: Referred): string | undefined {
  if (kind !== 'page') return ids.get(kind, key) ?? (kind === 'space' ? ids.byId(kind, key) : undefined);
  return idsWithin(ids, source).byId('page', lastOf(key), keyAbove(key));
}

interface Place {
  readonly context: ApplyContext;
  readonly source: ContentSource;
  /** Pages of a space of the target by their ids: of its own those of what is written. */
  readonly there: (spaceId: string) => Promise<ReadonlyMap<string, Page>>;
}

async function addressOf(place: Place, { kind, key }: Referred, id: string): Promise<string | null> {
  const { context, source, there } = place;
  if (kind === 'space') return appAddress({ ...(await context.client.call('getSpace', { path: { spaceId: id } })) });
  if (kind === 'collection')
    return appAddress({ ...(await context.client.call('getCollection', { path: { collectionId: id } })) });
  const space = kind === 'page' ? keyAbove(key) : source.space;
  const now = context.ids.byId('space', space);
  return now === undefined ? null : appAddress({ ...(await there(now)).get(id) });
}

async function pagesIn(context: ApplyContext, into: ContentPath): Promise<ReadonlyMap<string, Page>> {
  const { pages } = await contentOf(context, into);
  return pagesById(pages);
}
