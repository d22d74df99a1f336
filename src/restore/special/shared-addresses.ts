// Pages of one space or change request that one address leads to, as where two requests that each brought a page of that name were merged:
// no platform has to keep them apart, and one that does gives the later ones another.
import { groupBy, lazyBy } from '../../base/index.ts';
import { isPage, type KindName } from '../../contract/index.ts';
import type { Outlined, Resource, SnapshotReader } from '../../mirror/index.ts';
import { keyAbove, textAt } from '../resource.ts';
import { isLink, pageAbove } from './page-places.ts';

/** Addresses that several of these pages have. */
export function sharedAddresses(pages: readonly Outlined[]): ReadonlySet<string> {
  const held = pages.filter((page) => page.holds && !isLink(page));
  const byPath = groupBy(held, ({ body }) => textAt(body, 'path'));
  return new Set([...byPath].flatMap(([path, alike]) => (path !== undefined && alike.length > 1 ? [path] : [])));
}

/** Of one snapshot: the pages of a space or change request are looked through once. */
export class SharedAddresses {
  readonly #reader: SnapshotReader;
  readonly #sharedIn = lazyBy((kind: KindName) =>
    lazyBy((holder: string) => sharedAddresses([...this.#reader.outline(kind, holder)])),
  );

  constructor(reader: SnapshotReader) {
    this.#reader = reader;
  }

  /** True for a page that shares its address with another, or stands below one that does. */
  has(page: Resource): boolean {
    if (!isPage(page.kind)) return false;
    const shared = this.#sharedIn(page.kind)(keyAbove(page.key));
    if (shared.size === 0) return false;
    for (let at: Resource | undefined = page; at !== undefined; at = pageAbove(this.#reader, at))
      if (shared.has(textAt(at.body, 'path') ?? '')) return true;
    return false;
  }
}
