// Where pages that are gone come back to in a space that stands: below which page, and under which name while another has theirs.
import { groupBy, lazy, lazyBy } from '../../base/index.ts';
import type { Outlined, Resource, SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';
import { addressBelow, isLink, nameBelow } from '../special/page-places.ts';

type Page = Pick<Resource, 'id' | 'body' | 'parent'>;

/** The page of the snapshot and what stands. */
interface PageSides {
  readonly reader: SnapshotReader;
  readonly live: SnapshotReader;
  readonly heirs: IdMap;
  /** Ids of pages that may be written over by a missing one whose place they have. */
  readonly replaceable: ReadonlySet<string>;
}

/** Looks into one space. */
export class MissingPages {
  readonly #sides: PageSides;
  readonly #space: string;
  /** Pages that stand, by the page above and their name. */
  readonly #there = new Map<string, Outlined>();
  readonly #standing: ReadonlyMap<string, Outlined>;
  /** Where an import would put them. */
  readonly #byAddress: () => ReadonlyMap<string, readonly Outlined[]>;
  /** Those above others are asked for again and again where many are gone. */
  readonly #pageOf = lazyBy((id: string) => this.#sides.reader.one('page', `${this.#space}/${id}`));
  readonly #holders = new Map<string, Outlined | undefined>();

  constructor(sides: PageSides, space: string) {
    this.#sides = sides;
    this.#space = space;
    const there = [...sides.live.outline('page', space)].filter(({ holds }) => holds);
    this.#standing = new Map(there.map((page) => [page.id, page]));
    this.#byAddress = lazy(() => groupBy(there, (page) => addressBelow(page.parent, page)));
    // An import writes over a link, too, that has the address which it makes of a title.
    for (const page of there.filter(isLink)) this.#there.set(addressBelow(page.parent, page), page);
    for (const page of there) this.#there.set(nameBelow(page.parent, page), page);
  }

  /** The pages above that are gone too, the topmost first: without them it would come back elsewhere. */
  above(page: Page): Resource[] {
    const found: Resource[] = [];
    for (let at = this.#parentOf(page); at !== undefined; at = this.#parentOf(at)) {
      if (this.#standsFor(at) !== at.id || this.#standing.has(at.id) || found.some(({ id }) => id === at?.id)) break;
      found.unshift(at);
    }
    return found;
  }

  /** The page that it comes back below: one that stands, or one that is gone too; null for the top. */
  below(page: Page): string | null {
    const parent = this.#parentOf(page);
    return parent === undefined || this.linkAbove(page) !== undefined ? null : this.#standsFor(parent);
  }

  /** The link that stands above it by now: a platform puts nothing below a link. */
  linkAbove(page: Page): Outlined | undefined {
    const parent = this.#parentOf(page);
    const seen = new Set<string>();
    for (let at = parent ? this.#standsFor(parent) : null; at !== null && !seen.has(at);) {
      const above = this.#standing.get(at);
      if (above && isLink(above)) return above;
      seen.add(at);
      at = above?.parent ?? null;
    }
    return undefined;
  }

  /** The page that stands below that one by the name of the page; a link has none. */
  standingAt(page: Page, below: string | null): Outlined | undefined {
    const found = this.#there.get(nameBelow(below, page));
    return found && isLink(found) ? undefined : found;
  }

  /** Another page that stands where an import puts a link that stands. */
  besideLink(link: Page): Outlined | undefined {
    return this.#byAddress()
      .get(addressBelow(link.parent, link))
      ?.find(({ id }) => id !== link.id);
  }

  /** The page that stands where an import would put it. */
  holderOf(page: Page): Outlined | undefined {
    if (this.#holders.has(page.id)) return this.#holders.get(page.id);
    // Pages may be said to stand below each other.
    this.#holders.set(page.id, undefined);
    const below = this.below(page);
    const found = this.#there.get(nameBelow(below, page)) ?? this.#there.get(addressBelow(below, page));
    this.#holders.set(page.id, found);
    return found;
  }

  /** The page that stands in its place and is written over rather than that there are two. */
  twinOf(page: Page): Outlined | undefined {
    const holder = this.holderOf(page);
    const isSame = holder !== undefined && holder.body['type'] === page.body['type'];
    return isSame && this.#sides.replaceable.has(holder.id) ? holder : undefined;
  }

  #standsFor(page: Resource): string {
    if (this.#standing.has(page.id)) return page.id;
    return this.#sides.heirs.get('page', page.key) ?? this.twinOf(page)?.id ?? page.id;
  }

  #parentOf({ parent }: Page): Resource | undefined {
    return parent === null ? undefined : this.#pageOf(parent);
  }
}
