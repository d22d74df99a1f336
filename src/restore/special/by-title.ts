// Pages that an import put at another address than they had, or that have none: not every platform makes addresses of the names of files,
// or tells the path of a page.
import { groupBy } from '../../base/index.ts';
import type { Page } from '../../contract/index.ts';
import type { Outlined } from '../../mirror/index.ts';
import { pagesById } from './page-places.ts';

interface Sides {
  readonly originals: readonly Outlined[];
  readonly made: readonly Page[];
  /** New ids by key, of those that are found already. */
  readonly known: Readonly<Record<string, string>>;
}

/**
 * New ids by key of those that stand below the same page under the same title. Where several do, they are taken in their order, and
 * none of them when there are more or fewer than there were.
 */
export function foundByTitle({ originals, made, known }: Sides): Record<string, string> {
  const found: Record<string, string> = {};
  const taken = new Set(Object.values(known));
  const byId = pagesById(made);
  const inTheirOrder = originals.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  const below = groupBy(inTheirOrder, ({ parent }) => parent);
  const match = (parent: string | null, siblings: readonly Page[]): void => {
    const children = below.get(parent) ?? [];
    const open = children.filter(({ key, body }) => known[key] === undefined && body['type'] !== 'link');
    const free = groupBy(
      siblings.filter(({ id }) => !taken.has(id)),
      ({ type, title }) => named(type, title),
    );
    for (const [name, pages] of groupBy(open, ({ body }) => named(body['type'], body['title']))) {
      const there = free.get(name) ?? [];
      if (there.length !== pages.length) continue;
      for (const [i, page] of there.entries()) found[pages[i]?.key ?? ''] = page.id;
    }
    for (const { key, id } of children) {
      const page = byId.get(known[key] ?? found[key] ?? '');
      if (page !== undefined) match(id, page.pages ?? []);
    }
  };
  match(null, made);
  return found;
}

/** What a platform shows as computed, and computes nothing of, comes back as a document. */
function named(type: unknown, title: unknown): string {
  return `${type === 'computed' ? 'document' : String(type)} ${typeof title === 'string' ? title.trim() : ''}`;
}
