// In a space that stands: pages of which an import sets layout, cover or where they lead back, each imported over itself.
import { groupBy } from '../../../base/index.ts';
import type { Page } from '../../../contract/index.ts';
import { appAddress, referenceOf } from '../../../export/index.ts';
import type { Resource, SnapshotReader } from '../../../mirror/index.ts';
import { differingLooks, isLook, looksOf } from '../../special/looks.ts';
import { leadingOf } from '../../links/link-pages.ts';
import { addressBelow, flatten, isLink, pagesById } from '../../special/page-places.ts';
import { firstOf, textAt } from '../../resource.ts';
import type { ApplyContext, PageMend, PlanStep } from '../../types.ts';

export function lookMends({ pages }: Pick<PlanStep, 'pages'>): PageMend[] {
  return (pages?.changed ?? []).filter(({ why }) => why.some(isLook));
}

/** The page exactly as it stands, but for that. A link is known by its title. */
export function withLooks<T extends Pick<Resource, 'key' | 'body'>>(context: ApplyContext, page: T, mend: PageMend): T {
  const { reader, ids } = context;
  const wanted = reader.one('page', page.key);
  if (wanted === undefined) return page;
  const looks = looksOf(wanted.body, ids);
  const body = { ...page.body, ...looks };
  if (!isLink(wanted)) return { ...page, body };
  return { ...page, body: { ...body, ...leadAnew(context, wanted), title: titleToFind(wanted, mend) } };
}

/** The one that it is to have is more likely that which it was made by. */
function titleToFind({ body }: Pick<Resource, 'body'>, { importedAs }: PageMend): unknown {
  return importedAs ?? body['title'];
}

/**
 * The links that were not set back by the titles that they are to have, to be found by those that they have: by which one was made, no
 * answer tells. Null where none is left of which another page does not have the address.
 */
export function byTitlesThere(context: ApplyContext, step: PlanStep, pages: readonly Page[]): PlanStep | null {
  const now = pagesById(pages);
  const left = lookMends(step).flatMap((mend) => {
    const page = now.get(mend.id);
    const wanted = context.reader.one('page', `${step.key}/${mend.id}`)?.body['title'];
    const isLeft = page?.type === 'link' && leftOf(step, { mend, page, stood: context.live }).length > 0;
    return isLeft && page.title !== wanted ? [{ ...mend, importedAs: page.title }] : [];
  });
  if (left.length === 0) return null;
  const alone = aloneIn(pages);
  const changed = left.filter(({ id }) => alone.has(id));
  return changed.length === 0 ? null : { ...step, pages: { missing: [], files: [], changed, added: [], links: [] } };
}

/** Ids of the pages whose address, as far as answers tell it, no other page has. */
function aloneIn(pages: readonly Page[]): Set<string> {
  const all = [...groupBy(addressed(pages, null), ({ address }) => address).values()];
  return new Set(all.flatMap(([one, ...others]) => (one === undefined || others.length > 0 ? [] : [one.id])));
}

interface Addressed {
  readonly id: string;
  readonly address: string;
}

function addressed(pages: readonly Page[], above: string | null): Addressed[] {
  return pages.flatMap((page) => [
    { id: page.id, address: addressBelow(above, { body: { ...page } }) },
    ...addressed(page.pages ?? [], page.id),
  ]);
}

/** What it leads to has another id now, and was shown at an address when the plan was made. */
function leadAnew({ addresses, ids, live }: ApplyContext, { key, body }: Resource): Resource['body'] {
  const link = referenceOf(leadingOf(body), addresses);
  if (link === null) return {};
  const { to, space, id, rest } = link;
  const own = space ?? firstOf(key);
  const now = ids.byId(to, id, to === 'space' ? null : own);
  const holder = ids.byId('space', own) ?? own;
  const shown = now === undefined ? undefined : live?.one(to, to === 'space' ? now : `${holder}/${now}`);
  const address = appAddress(shown?.body);
  return address === null ? {} : { href: address + rest, target: undefined };
}

interface Sides {
  readonly mend: PageMend;
  readonly page: Page | undefined;
  readonly stood: SnapshotReader | null;
}

/** What is as it was, in words. */
export function looksLeft(context: ApplyContext, step: PlanStep, pages: readonly Page[]): string[] {
  const now = pagesById(pages);
  return lookMends(step).flatMap((mend) => {
    const left = leftOf(step, { mend, page: now.get(mend.id), stood: context.live });
    return left.length === 0
      ? []
      : [`page ${mend.title} keeps its ${left.join(' and ')}: the target did not set it back`];
  });
}

function leftOf({ key }: PlanStep, { mend: { id, why }, page, stood }: Sides): string[] {
  const before = stood?.one('page', `${key}/${id}`);
  if (page === undefined || before === undefined) return [];
  const set = differingLooks(textAt(before.body, 'type') ?? 'document', [{ ...page }, before.body]);
  return why.filter(isLook).filter((look) => !set.includes(look));
}

/** Links that an import made beside those that it was to set back: a link may have had another address than its title makes. */
export function besideThem({ reader, live, ids }: ApplyContext, step: PlanStep, pages: readonly Page[]): string[] {
  const titles = new Set(
    lookMends(step).flatMap((mend) => {
      const wanted = reader.one('page', `${step.key}/${mend.id}`);
      return wanted === undefined ? [] : [titleToFind(wanted, mend)];
    }),
  );
  if (titles.size === 0) return [];
  const brought = new Set(ids.idsOf('page'));
  return flatten(pages)
    .filter(({ id, type, title }) => type === 'link' && titles.has(title) && !brought.has(id))
    .filter(({ id }) => live?.one('page', `${step.key}/${id}`) === undefined)
    .map(({ id }) => id);
}
