// Content that is too much for one import goes in as several, each of whole pages with those that they stand below.
import { groupBy } from '../../base/index.ts';
import type { Outlined, Resource, SnapshotReader } from '../../mirror/index.ts';
import { filesShown } from '../links/links.ts';

/** What is imported: the content of a space, or that of one of its change requests. */
export interface ContentSource {
  readonly space: string;
  readonly changeRequest?: string;
  /** Where its link pages lead now, as far as that is known; not there before what they refer to stands. */
  readonly leads?: Leads;
}

/** What was restored, by the kind and key of what it was. */
export type Leads = ReadonlyMap<string, Lead>;

export interface Lead {
  readonly id: string;
  /** Where the app shows it; null where the target does not tell. */
  readonly address: string | null;
}

/** How much one import may hold; null is no limit. */
export interface ImportLimits {
  readonly maxPages: number | null;
  /** Bytes of texts and files. */
  readonly maxBytes: number | null;
}

export const NO_IMPORT_LIMITS: ImportLimits = { maxPages: null, maxBytes: null };

/** Ids of pages in their order: those of one import, without the pages above them. */
export type PartPages = readonly string[];

interface Sized {
  readonly id: string;
  readonly bytes: number;
}

/** The pages of a source in as few parts as the limits allow; null when it goes in whole. */
export function partsOf(reader: SnapshotReader, source: ContentSource, limits: ImportLimits): PartPages[] | null {
  return partsWithin(sizedPages(reader, source), limits);
}

/** The same for some pages of a space that stands, by their ids. */
export function partsAmong(
  reader: SnapshotReader,
  { space, ids }: { readonly space: string; readonly ids: ReadonlySet<string> },
  limits: ImportLimits,
): PartPages[] | null {
  return partsWithin(sizedPages(reader, { space }, ids), limits);
}

/** Null when they are one part, or nothing is limited: then no page is read. */
function partsWithin(pages: Iterable<Sized>, { maxPages, maxBytes }: ImportLimits): PartPages[] | null {
  if (maxPages === null && maxBytes === null) return null;
  const parts: string[][] = [];
  let bytes = 0;
  for (const page of pages) {
    const part = parts.at(-1);
    const isFull =
      part === undefined || part.length >= (maxPages ?? Infinity) || bytes + page.bytes > (maxBytes ?? Infinity);
    if (isFull) parts.push([page.id]);
    else part.push(page.id);
    bytes = (isFull ? 0 : bytes) + page.bytes;
  }
  return parts.length > 1 ? parts : null;
}

/** The two halves of a part; null when it is one page. */
export function halved(part: PartPages): [PartPages, PartPages] | null {
  const middle = Math.ceil(part.length / 2);
  return part.length < 2 ? null : [part.slice(0, middle), part.slice(middle)];
}

/** All pages of a source, parents before children, siblings in their order. */
export function pagesInOrder(reader: SnapshotReader, source: ContentSource): Outlined[] {
  const all = [...reader.outline(...kindsOf(source).pages)].filter(({ holds }) => holds);
  const ids = new Set(all.map(({ id }) => id));
  const byParent = groupBy(all, ({ parent }) => (parent !== null && ids.has(parent) ? parent : null));
  const below = (parent: string | null): Outlined[] =>
    (byParent.get(parent) ?? [])
      .toSorted((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || a.id.localeCompare(b.id))
      .flatMap((page) => [page, ...below(page.id)]);
  return below(null);
}

/** The pages of a part and all those above them, so that each stands where it stood. */
export function withAncestors(pages: readonly Outlined[], part: PartPages): Set<string> {
  const parents = new Map(pages.map(({ id, parent }) => [id, parent]));
  const kept = new Set<string>();
  for (const id of part)
    for (let at: string | null = id; at !== null && !kept.has(at); at = parents.get(at) ?? null) kept.add(at);
  return kept;
}

/** A part with what stands beside those of its pages that are new to their siblings: an import puts a new page next to what it names with it. */
export function withNeighbours(
  pages: readonly Outlined[],
  part: PartPages,
  isNew: (page: Outlined) => boolean,
): PartPages {
  const all = new Set(part);
  for (const page of pages) {
    if (!all.has(page.id) || !isNew(page)) continue;
    const siblings = pages.filter(({ parent }) => parent === page.parent);
    const at = siblings.indexOf(page);
    const beside = siblings[at - 1] ?? siblings.slice(at + 1).find((one) => !isNew(one));
    if (beside !== undefined) all.add(beside.id);
  }
  return [...all];
}

type Place = [kind: Resource['kind'], within: string];

export function kindsOf({ space, changeRequest }: ContentSource): { pages: Place; files: Place } {
  if (changeRequest === undefined) return { pages: ['page', space], files: ['file', space] };
  const within = `${space}/${changeRequest}`;
  return { pages: ['change-request-page', within], files: ['change-request-file', within] };
}

/** Bytes of the text; a page brings the files that it shows, each counted with the first that shows it. @param ids Of those that go in; all without. */
function* sizedPages(
  reader: SnapshotReader,
  source: ContentSource,
  ids?: ReadonlySet<string>,
): IterableIterator<Sized> {
  const sizes = new Map(
    [...reader.resources(...kindsOf(source).files)].map(({ id, object }) => [id, object?.size ?? 0]),
  );
  for (const page of pagesInOrder(reader, source)) {
    if (ids?.has(page.id) === false) continue;
    const text = textIn(reader, source, page);
    let bytes = Buffer.byteLength(text);
    for (const file of filesShown({ body: page.body, text })) {
      bytes += sizes.get(file) ?? 0;
      sizes.delete(file);
    }
    yield { id: page.id, bytes };
  }
}

/** Of several imports, one. */
interface PartSent {
  /** All pages of the source: to find them anew for each part takes longer than all else. */
  readonly pages: readonly Outlined[];
  /** Ids of those of the part and of those above them. */
  readonly part: ReadonlySet<string>;
  readonly isLast: boolean;
}

/** Ids of the files that go with a part: those that its pages show; what no page shows goes with the last one. */
export function filesOfPart(
  reader: SnapshotReader,
  source: ContentSource,
  { pages, part, isLast }: PartSent,
): Set<string> {
  const own = new Set<string>();
  const shown = new Set<string>();
  for (const page of pages) {
    // Of the others it matters for the last part alone what they show, and each text is read for that.
    if (!isLast && !part.has(page.id)) continue;
    for (const file of filesShown({ body: page.body, text: textIn(reader, source, page) })) {
      shown.add(file);
      if (part.has(page.id)) own.add(file);
    }
  }
  if (!isLast) return own;
  for (const { id } of reader.resources(...kindsOf(source).files)) if (!shown.has(id)) own.add(id);
  return own;
}

/** A page that a change request did not touch has the text of the space's page. */
export function textIn(
  reader: SnapshotReader,
  source: ContentSource,
  { id, key }: Pick<Outlined, 'id' | 'key'>,
): string {
  const own = reader.one(kindsOf(source).pages[0], key)?.text;
  return own ?? reader.one('page', `${source.space}/${id}`)?.text ?? '';
}
