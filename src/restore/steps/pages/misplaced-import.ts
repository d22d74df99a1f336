// An import that is of no use to a space that stands. A platform may put what it imports in place of all that stood, or bring once more
// the pages above, which go along only to tell the place. Merged, the one would delete the space and the other double it.
import { canonicalJson, groupBy } from '../../../base/index.ts';
import type { Page, Revision } from '../../../contract/index.ts';
import type { Body } from '../../resource.ts';
import { lookIn } from '../../special/looks.ts';
import { flatten, isLink, pagesById } from '../../special/page-places.ts';
import type { ApplyContext, PlanStep } from '../../types.ts';
import { contentOf, type RequestPath } from '../../target/content-there.ts';
import { lookMends, withLooks } from './looks.ts';
import { belowOf, missingById, standingIds } from './missing-map.ts';

/** What an import has to leave as it is: pages, those below others too, and files. */
export type Stood = Pick<Revision, 'pages' | 'files'>;

interface Imported {
  readonly stood: Stood;
  /** What the change request shows. */
  readonly now: Revision;
}

export function stoodIn({ pages, files }: Revision): Stood {
  return { pages: flatten(pages), files };
}

/**
 * The same where an earlier try began the change request: that may hold by now what it imported and edited, so the space tells it,
 * without what the step takes away.
 */
export async function stoodBefore(context: ApplyContext, step: PlanStep, { spaceId }: RequestPath): Promise<Stood> {
  const { pages, files } = stoodIn(await contentOf(context, { spaceId }));
  const [pageIds, fileIds] = [standingIds(context, step, 'page'), standingIds(context, step, 'file')];
  for (const { id } of step.pages?.added ?? []) pageIds.delete(id);
  return { pages: pages.filter(({ id }) => pageIds.has(id)), files: files.filter(({ id }) => fileIds.has(id)) };
}

/** True for a change request that must not be merged. */
export function isMisplaced(context: ApplyContext, step: PlanStep, imported: Imported): boolean {
  return takesAway(step, imported) || bringsTwice(context, step, imported) || isSetElsewhere(context, step, imported);
}

/** What is imported over itself to be set back may have another id afterwards. */
function takesAway(step: PlanStep, { stood, now }: Imported): boolean {
  const pages = idsOf([...flatten(now.pages), ...lookMends(step)]);
  const files = idsOf([...now.files, ...(step.pages?.files ?? [])]);
  return stood.pages.some(({ id }) => !pages.has(id)) || stood.files.some(({ id }) => !files.has(id));
}

function bringsTwice(context: ApplyContext, step: PlanStep, { stood, now }: Imported): boolean {
  const known = new Set([...idsOf(stood.pages), ...standingIds(context, step, 'page')]);
  const fresh = named(flatten(now.pages).filter(({ id }) => !known.has(id)));
  const awaited = named(awaitedPages(context, step, known));
  const standing = standingAlong(context, step, known);
  const along = named(stood.pages.filter(({ id }) => standing.has(id)));
  const isTwice = (name: string): boolean => (fresh.get(name)?.length ?? 0) > (awaited.get(name)?.length ?? 0);
  return [...along.keys()].some(isTwice) || bringsFileTwice(step, { stood, now });
}

/** One that stands goes along with a page that shows it. */
function bringsFileTwice(step: PlanStep, { stood, now }: Imported): boolean {
  const [known, awaited] = [idsOf(stood.files), idsOf(step.pages?.files ?? [])];
  const names = new Set(stood.files.filter(({ id }) => !awaited.has(id)).map(({ name }) => name));
  return now.files.some(({ id, name }) => !known.has(id) && names.has(name));
}

function idsOf(all: readonly { readonly id: string }[]): Set<string> {
  return new Set(all.map(({ id }) => id));
}

function named(pages: readonly Pick<Page, 'type' | 'title'>[]): Map<string, Pick<Page, 'type' | 'title'>[]> {
  return groupBy(pages, ({ type, title }) => `${type} ${title}`);
}

/** Those that an earlier import has brought are not to come again. */
function awaitedPages({ reader, ids }: ApplyContext, { key, pages }: PlanStep, known: ReadonlySet<string>): Page[] {
  return (pages?.missing ?? []).flatMap(({ id }) => {
    const page = reader.one('page', `${key}/${id}`);
    const isThere = known.has(ids.get('page', `${key}/${id}`) ?? '');
    return page === undefined || isThere ? [] : [page.body as unknown as Page];
  });
}

/**
 * Ids of the pages that stand and are imported as well: those above what is missing, those that an earlier import has brought, and those
 * of which only an import sets something.
 */
function standingAlong(context: ApplyContext, step: PlanStep, known: ReadonlySet<string>): Set<string> {
  const { live, reader, ids } = context;
  const missing = missingById(step);
  const along = new Set<string>();
  const nowOf = (id: string): string => ids.get('page', `${step.key}/${id}`) ?? id;
  const isAwaited = (id: string): boolean => missing.has(id) && !known.has(nowOf(id));
  const climb = (from: string | null): void => {
    for (let at = from; at !== null && !isAwaited(at) && !along.has(nowOf(at));) {
      along.add(nowOf(at));
      const key: string = `${step.key}/${at}`;
      at = (live?.one('page', key) ?? reader.one('page', key))?.parent ?? null;
    }
  };
  for (const mend of missing.values()) climb(isAwaited(mend.id) ? belowOf(context, step, mend) : mend.id);
  for (const { id } of lookMends(step)) {
    const page = context.live?.one('page', `${step.key}/${id}`);
    // What an import makes beside a link that it was to set back is taken away again.
    climb(page && isLink(page) ? page.parent : id);
  }
  return along;
}

/** True where the import has set a link that stands, and is in its way by an address that no answer shows, in place of the one that was meant. */
function isSetElsewhere(context: ApplyContext, step: PlanStep, { stood, now }: Imported): boolean {
  const mends = new Map(lookMends(step).map((mend) => [mend.id, mend]));
  const sent = new Set(
    [...mends].flatMap(([id, mend]) => {
      const page = context.live?.one('page', `${step.key}/${id}`);
      return page && isLink(page) ? [leadsTo(withLooks(context, page, mend).body)] : [];
    }),
  );
  if (sent.size === 0) return false;
  const before = pagesById(stood.pages);
  return flatten(now.pages).some((page) => {
    const was = mends.has(page.id) ? undefined : before.get(page.id);
    if (was?.type !== 'link' || page.type !== 'link') return false;
    const leads = leadsTo({ ...page });
    return leads !== leadsTo({ ...was }) && sent.has(leads);
  });
}

function leadsTo(body: Body): string {
  return canonicalJson(lookIn(body, 'href'));
}
