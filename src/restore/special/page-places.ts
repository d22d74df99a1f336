// Where a page stands in its space: below which page, and by what an import tells it from others.
import { groupBy, sha256 } from '../../base/index.ts';
import type { Page } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { keyAbove, textAt } from '../resource.ts';
import type { PageMend } from '../types.ts';

/** The page that another stands below, in its space or its change request; undefined at the top. */
export function pageAbove(
  reader: SnapshotReader,
  { kind, key, parent }: Pick<Resource, 'kind' | 'key' | 'parent'>,
): Resource | undefined {
  return parent === null ? undefined : reader.one(kind, `${keyAbove(key)}/${parent}`);
}

/**
 * Link pages have no path; their title and target tell them apart. Of those to an address not every platform says it twice. Null for
 * any other page of which the platform tells no path: its title is no place, as siblings may share it.
 */
function byPlace({ path, type, title, href, target }: Named): string | null {
  if (type !== 'link') return path ?? null;
  return `${type} ${title} ${href ?? (target?.kind === 'url' ? target.url : '')}`;
}

type Named = Pick<Page, 'path' | 'type' | 'title' | 'href' | 'target'>;

export function flatten(pages: readonly Page[]): Page[] {
  return pages.flatMap((page) => [page, ...flatten(page.pages ?? [])]);
}

/** All pages of a tree by their ids. */
export function pagesById(pages: readonly Page[]): ReadonlyMap<string, Page> {
  return new Map(flatten(pages).map((page) => [page.id, page]));
}

/** Pages of a tree, each of which is found once. */
export class PagesToFind {
  readonly #byPlace: ReadonlyMap<string | null, readonly Standing[]>;
  readonly #links: readonly Standing[];
  readonly #found = new Set<string>();

  constructor(pages: readonly Page[]) {
    const all = standing(pages, null);
    this.#byPlace = groupBy(all, ({ page }) => byPlace(page));
    this.#links = all.filter(({ page }) => page.type === 'link');
  }

  /** The id of the page with the place of this one, where that is told; of links that are alike, the one below the same page. */
  take(page: Named, above: string | null | undefined): string | undefined {
    const place = byPlace(page);
    return place === null ? undefined : this.#choose(this.#byPlace.get(place) ?? [], above);
  }

  /** The id of a link page that is as asked for; of several, the one below the same page. */
  takeLink(isIt: (page: Page) => boolean, above: string | null | undefined): string | undefined {
    return this.#choose(
      this.#links.filter(({ page }) => isIt(page)),
      above,
    );
  }

  #choose(alike: readonly Standing[], above: string | null | undefined): string | undefined {
    const left = alike.filter(({ page }) => !this.#found.has(page.id));
    const chosen = (left.find((one) => one.above === above) ?? left[0])?.page.id;
    if (chosen !== undefined) this.#found.add(chosen);
    return chosen;
  }
}

interface Standing {
  readonly page: Page;
  /** Id of the page above; null at the top. */
  readonly above: string | null;
}

function standing(pages: readonly Page[], above: string | null): Standing[] {
  return pages.flatMap((page) => [{ page, above }, ...standing(page.pages ?? [], page.id)]);
}

/** Set back to where it stood; a page in the place of another one stands where somebody made it among its siblings. */
export function isPlaced({ why, of }: PageMend): boolean {
  return of !== undefined || why.includes('parent') || why.includes('order');
}

/** By which an import tells the pages below another apart. Link pages have no name of their own; title and target are theirs. */
export function nameBelow(above: string | null, page: Pick<Resource, 'body'>): string {
  const [type, slug, title, href] = (['type', 'slug', 'title', 'href'] as const).map(
    (field) => textAt(page.body, field) ?? '',
  );
  const isNamed = type !== 'link' && slug !== '';
  return `${above ?? ''} ${isNamed ? slug : `${type} ${title} ${href}`}`;
}

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/** Where an import puts a link; where it puts another page as well, which has a name. */
export function addressBelow(above: string | null, page: Pick<Resource, 'body'>): string {
  if (!isLink(page)) return nameBelow(above, page);
  const words = textAt(page.body, 'title')?.normalize('NFKC').toLowerCase().match(WORDS) ?? [];
  return `${above ?? ''} ${words.join('-')}`;
}

export function isLink({ body }: Pick<Resource, 'body'>): boolean {
  return body['type'] === 'link';
}

export function isGroup({ body }: Pick<Resource, 'body'>): boolean {
  return body['type'] === 'group';
}

/** A name that no other page has; of a link a title, since its address is made of that. */
export function otherName(page: Pick<Resource, 'id' | 'body'>): string {
  const name = isLink(page) ? `${textAt(page.body, 'title') ?? ''} ` : `${textAt(page.body, 'slug') ?? 'page'}-`;
  return `${name}${sha256(page.id).slice(0, 8)}`;
}

/** The page under the name that it is imported by. */
export function renamed<Body extends Resource['body']>(body: Body, name: string | undefined): Body {
  if (name === undefined) return body;
  return { ...body, [isLink({ body }) ? 'title' : 'slug']: name };
}
