// Pages that are to be inserted, and which of those that stand they are by now.
import { groupBy } from '../../base/index.ts';
import type { KindName, Page } from '../../contract/index.ts';
import { oneLine, withoutTitle } from '../../export/index.ts';
import { leadingWithin, withinOf } from '../journal/id-map.ts';
import { turned } from '../links/address-links.ts';
import { isLostTitle, titleIn } from '../special/page-fields.ts';
import { textAt, type Body } from '../resource.ts';
import type { RequestPath } from '../target/content-there.ts';
import type { ApplyContext } from '../types.ts';

/** A page that is to stand there. */
export interface WantedPage {
  readonly kind: KindName;
  readonly key: string;
  readonly id: string;
  /** Id of the page above, as the snapshot has it; null is the top. */
  readonly above: string | null;
  readonly body: Body;
  /** With links by the ids of the snapshot. */
  readonly text: string;
}

export interface PageInsertion {
  readonly path: RequestPath;
  /** Parents before children, siblings in their order. */
  readonly wanted: readonly WantedPage[];
  /** Ids of pages of the target that none of them is, though it may be called the same. */
  readonly others: ReadonlySet<string>;
  /** Ids of pages that stand, and of which an edit sets what is to be set: their texts are not written once more. */
  readonly edited?: ReadonlySet<string>;
}

/**
 * Notes which page is which of those that stand below the same page: by slug and title, else by its title, in their order, else by its
 * slug. A platform that gives slugs of its own may give one page that of another.
 */
export function adoptPages(
  context: ApplyContext,
  insertion: Pick<PageInsertion, 'wanted' | 'others'>,
  pages: readonly Page[],
): void {
  const { wanted, others } = insertion;
  const children = childrenByParent(pages);
  const newIdOf = newIdsOf(context, insertion);
  const taken = new Set(others);
  for (const { kind, key } of wanted) taken.add(context.ids.get(kind, key) ?? '');
  for (const [above, siblings] of groupBy(wanted, (page) => page.above)) {
    const own = siblings.filter(({ kind, key }) => context.ids.get(kind, key) === undefined);
    const into = above === null ? null : newIdOf(above);
    if (own.length === 0 || into === undefined) continue;
    const free = (children.get(into) ?? []).filter(({ id }) => !taken.has(id));
    for (const [{ kind, key }, id] of matched(own, free)) context.ids.set(kind, key, id);
  }
}

function matched(own: readonly WantedPage[], free: readonly Page[]): ReadonlyMap<WantedPage, string> {
  const found = new Map<WantedPage, string>();
  const used = new Set<string>();
  for (const nameOf of NAMES) {
    const left = groupBy(
      free.filter(({ id }) => !used.has(id)),
      (page) => nameOf({ ...page }),
    );
    for (const page of own) {
      const name = nameOf(page.body);
      const next = found.has(page) || name === null ? undefined : left.get(name)?.shift();
      if (next === undefined) continue;
      found.set(page, next.id);
      used.add(next.id);
    }
  }
  return found;
}

const NAMES: readonly ((body: Body) => string | null)[] = [
  (body) => (slugIn(body) === null ? null : `${slugIn(body) ?? ''} ${titleSent(body)}`),
  titleSent,
  slugIn,
];

export function slugIn(body: Body): string | null {
  return textAt(body, 'slug') || null;
}

function childrenByParent(
  pages: readonly Page[],
  above: string | null = null,
  all = new Map<string | null, readonly Page[]>(),
): ReadonlyMap<string | null, readonly Page[]> {
  all.set(above, pages);
  for (const page of pages) childrenByParent(page.pages ?? [], page.id, all);
  return all;
}

/** New ids of pages by their old ones: of those that are to be inserted, once they are, and of what stands all along. */
export function newIdsOf(
  { ids }: ApplyContext,
  { wanted, others }: Pick<PageInsertion, 'wanted' | 'others'>,
): (id: string) => string | undefined {
  const inserted = new Map(wanted.map((page) => [page.id, page]));
  return (id) => {
    const page = inserted.get(id);
    if (page !== undefined) return ids.get(page.kind, page.key);
    return ids.byId('page', id) ?? (others.has(id) ? id : undefined);
  };
}

/** An edit takes a title as one line; another one is set after it, as after an import. */
export function titleSent(body: Body): string {
  return oneLine(titleIn(body)) || 'Untitled';
}

/** A title that no edit keeps is not taken for the heading above its text either. */
export function textMeant(
  { ids, addresses, shown, live }: ApplyContext,
  { kind, key, body, text }: Pick<WantedPage, 'kind' | 'key' | 'body' | 'text'>,
): string {
  const title = titleIn(body);
  const meant = isLostTitle(title) ? `# ${titleSent(body)}\n\n${withoutTitle(text, title)}` : text;
  const leading = leadingWithin(ids, withinOf({ kind, key }));
  return turned(meant, { ...leading, addresses, shown, isInPlace: live !== null });
}
