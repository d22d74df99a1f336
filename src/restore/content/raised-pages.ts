// Pages that the snapshot has below a link, where an import puts nothing, or below one that could never be read: where a space is made
// anew they come to the top of it.
import { largestOf } from '../../base/index.ts';
import { isPage, type KindName } from '../../contract/index.ts';
import type { Outlined, Resource, SnapshotReader } from '../../mirror/index.ts';
import { alteredReader } from './altered-reader.ts';
import { pagesInOrder } from './import-parts.ts';
import { keyAbove, textAt } from '../resource.ts';
import type { Plan } from '../types.ts';
import { addressBelow, isLink, nameBelow, otherName, renamed } from '../special/page-places.ts';

type Place = Pick<Resource, 'parent' | 'position' | 'body'>;

/** The snapshot as imports bring it: what stood below a link, or below what could never be read, stands at the top, behind all else. */
export function asImported(reader: SnapshotReader, { steps }: Pick<Plan, 'steps'>): SnapshotReader {
  const imported = new Set(steps.filter(isImport).map(({ key }) => key));
  const known = new Map<string, ReadonlyMap<string, Place>>();
  const placesIn = (kind: KindName, within: string): ReadonlyMap<string, Place> => {
    const [space = '', changeRequest] = within.split('/');
    if (!isPage(kind) || !imported.has(space)) return NONE;
    const name = `${kind} ${within}`;
    const source = changeRequest === undefined ? { space } : { space, changeRequest };
    const places = known.get(name) ?? raisedAmong(pagesInOrder(reader, source));
    known.set(name, places);
    return places;
  };
  return alteredReader(reader, (one) => {
    const place = placesIn(one.kind, keyAbove(one.key)).get(one.id);
    return place ? { ...one, ...place } : one;
  });
}

/** How many pages of a space stand right below a link, or below what could never be read. */
export function countRaised(reader: SnapshotReader, space: string): number {
  return [...raisedAmong(pagesInOrder(reader, { space })).values()].filter(({ parent }) => parent === null).length;
}

const NONE: ReadonlyMap<string, Place> = new Map();

function isImport({ kind, part }: Plan['steps'][number]): boolean {
  return kind === 'revision' && part === 'content';
}

/** New places by id, of those that come to the top and of all below them. */
function raisedAmong(pages: readonly Outlined[]): ReadonlyMap<string, Place> {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const top = pages.filter(({ parent }) => parent === null);
  const taken = new Set(top.flatMap((page) => [nameBelow(null, page), addressBelow(null, page)]));
  const places = new Map<string, Place>();
  let position = largestOf(
    top.map((page) => page.position ?? -1),
    -1,
  );
  for (const page of pages) {
    const above = byId.get(page.parent ?? '');
    if (page.parent === null) continue;
    const raised = above && places.get(above.id);
    if (above === undefined || isLink(above)) {
      const isTaken = [nameBelow(null, page), addressBelow(null, page)].some((name) => taken.has(name));
      const body = renamed(page.body, isTaken ? otherName(page) : undefined);
      taken.add(nameBelow(null, { body })).add(addressBelow(null, { body }));
      places.set(page.id, { parent: null, position: (position += 1), body: withPath(body, []) });
    } else if (raised) {
      const body = withPath(page.body, [textAt(raised.body, 'path') ?? '']);
      places.set(page.id, { parent: page.parent, position: page.position, body });
    }
  }
  return places;
}

/** The address of a page is that of the page above and its own name; a link has none. */
export function withPath(body: Resource['body'], above: readonly string[]): Resource['body'] {
  const slug = textAt(body, 'slug');
  return slug === undefined || isLink({ body }) ? body : { ...body, path: [...above, slug].join('/') };
}
