// A content that is made anew, as far as the target takes it: a page that it refuses is left out, what stands below that comes below the
// nearest page above that is there, and of a page whose content it refuses the title comes alone.
import type { Outlined, Resource, SnapshotReader } from '../../mirror/index.ts';
import { raisedLine, untakenLine, type Untaken } from '../journal/untaken.ts';
import { keyAbove, titleOf } from '../resource.ts';
import { addressBelow, nameBelow, otherName, renamed } from '../special/page-places.ts';
import { alteredReader } from './altered-reader.ts';
import { kindsOf, pagesInOrder, type ContentSource } from './import-parts.ts';
import { withPath } from './raised-pages.ts';

type Place = Pick<Resource, 'parent' | 'body'>;

export function asTaken(reader: SnapshotReader, source: ContentSource, untaken: readonly Untaken[]): SnapshotReader {
  const [left, bare] = [pagesOf(untaken, 'all'), pagesOf(untaken, 'content')];
  if (left.size + bare.size === 0) return reader;
  const [kind, within] = kindsOf(source).pages;
  const places = raisedBeside(pagesInOrder(reader, source), left);
  return alteredReader(reader, (one) => {
    if (one.kind !== kind || keyAbove(one.key) !== within) return one;
    if (left.has(one.id)) return undefined;
    const placed = { ...one, ...places.get(one.id) };
    return bare.has(one.id) ? withTitleAlone(placed) : placed;
  });
}

/** The page with nothing but its place and its title. */
export function withTitleAlone<T extends Outlined | Resource>(page: T): T {
  const { type, title, slug, path } = page.body;
  const body = { type, title, slug, ...(path === undefined ? {} : { path }) };
  return { ...page, body, ...('text' in page ? { text: '' } : {}) };
}

function pagesOf(untaken: readonly Untaken[], what: Untaken['what']): Set<string> {
  return new Set(untaken.flatMap((one) => (one.kind === 'page' && one.what === what ? [one.id] : [])));
}

/** New places by id, of those right below a page that is left out and of all below them. */
function raisedBeside(pages: readonly Outlined[], left: ReadonlySet<string>): ReadonlyMap<string, Place> {
  const stands = pages.filter(({ id, parent }) => !left.has(id) && !left.has(parent ?? ''));
  const taken = new Set(stands.flatMap((page) => [nameBelow(page.parent, page), addressBelow(page.parent, page)]));
  const above = aboveLeft(pages, left);
  const byId = new Map(pages.map((page) => [page.id, page]));
  const places = new Map<string, Place>();
  for (const page of pages) {
    const parent = page.parent !== null && left.has(page.parent) ? (above.get(page.parent) ?? null) : page.parent;
    const isRaised = parent !== page.parent;
    if (left.has(page.id) || (!isRaised && !places.has(page.parent ?? ''))) continue;
    const isTaken = isRaised && [nameBelow(parent, page), addressBelow(parent, page)].some((name) => taken.has(name));
    const body = renamed(page.body, isTaken ? otherName(page) : undefined);
    if (isRaised) taken.add(nameBelow(parent, { body })).add(addressBelow(parent, { body }));
    const holder = parent === null ? undefined : (places.get(parent) ?? byId.get(parent));
    places.set(page.id, { parent, body: withPath(body, holder === undefined ? [] : [String(holder.body['path'])]) });
  }
  return places;
}

/** The nearest page above each that is left out, by its id; parents before children. */
function aboveLeft(pages: readonly Outlined[], left: ReadonlySet<string>): ReadonlyMap<string, string | null> {
  const above = new Map<string, string | null>();
  for (const { id, parent } of pages)
    if (left.has(id)) above.set(id, parent !== null && left.has(parent) ? (above.get(parent) ?? null) : parent);
  return above;
}

/** What did not come back, and why; where the pages came that stood below such a page. */
export function untakenContent(reader: SnapshotReader, source: ContentSource, untaken: readonly Untaken[]): string[] {
  if (untaken.length === 0) return [];
  const left = pagesOf(untaken, 'all');
  const pages = pagesInOrder(reader, source);
  const [above, byId] = [aboveLeft(pages, left), new Map(pages.map((page) => [page.id, page]))];
  return untaken.flatMap((one) => {
    const came = pages.filter(({ id, parent }) => parent === one.id && !left.has(id)).length;
    if (one.kind !== 'page' || one.what !== 'all' || came === 0) return [untakenLine(one)];
    const page = byId.get(above.get(one.id) ?? '');
    return [untakenLine(one), raisedLine(came, page === undefined ? null : titleOf(page))];
  });
}
