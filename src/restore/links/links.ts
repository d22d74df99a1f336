// Stable links inside texts: `/pages/<id>`, `/files/<id>`, `/spaces/<id>[/pages/<id>]`.
import { addressById, isRecord, rewriteLinks, type LinkById, type Pieces } from '../../base/index.ts';
import { pathLinked } from '../../export/index.ts';
import { PAGES_AT_ONCE, type Resource, type SnapshotReader } from '../../mirror/index.ts';
import type { Leading } from '../journal/id-map.ts';
import { textAt } from '../resource.ts';

/** The address of the restored target of a link; undefined when its target was not restored. */
function mapTarget({ to, space, id, rest }: LinkById, { ids, own }: Leading): string | undefined {
  const now = ids.byId(to, id, to === 'space' ? null : (space ?? own));
  if (now === undefined) return undefined;
  // What was brought back into a space that stands has another id, and the space has not.
  const within = space === null ? null : (ids.byId('space', space) ?? space);
  return addressById({ to, space: within, id: now }) + rest;
}

interface Standing {
  readonly target: string;
  /** Of the target among all that the text has. */
  readonly number: number;
}

/** Says of a link that it is to stay as it stands. */
export type Stays = (link: LinkById, standing: Standing) => boolean;

/** The text with every link whose target was restored pointing at the restored one; all else byte for byte. */
export function mapLinks(text: string, leading: Leading, stays: Stays = () => false): string {
  let number = -1;
  return rewriteLinks(text, (target, link) => {
    number += 1;
    return link === null || stays(link, { target, number }) ? undefined : mapTarget(link, leading);
  });
}

/** Every link target of a text, in order. */
export function targetsIn(text: string): string[] {
  const targets: string[] = [];
  rewriteLinks(text, (target) => {
    targets.push(target);
    return undefined;
  });
  return targets;
}

/** The text with every link to a page of this space naming the page alone, which leads to the same place from within. */
export function withoutOwnSpace(text: string, own: string): string {
  return rewriteLinks(text, (_, link) =>
    link !== null && link.to !== 'space' && link.space === own
      ? addressById({ ...link, space: null }) + link.rest
      : undefined,
  );
}

/** The text with every link by id written alike: one platform writes each sign of an id as it is, another with escapes. */
export function withLinksAlike(text: string): string {
  return rewriteLinks(text, (_, link) => (link === null ? undefined : addressById(link) + link.rest));
}

/** True for a text that is one of these, however the ids in its links are written. */
export function isAmong(texts: readonly (string | null)[], text: string | null): boolean {
  if (text === null || texts.includes(text)) return texts.includes(text);
  const alike = withLinksAlike(text);
  return texts.some((one) => one !== null && withLinksAlike(one) === alike);
}

/** True when a text links to something by its path, seen from where the page stands, as a person wrote it. */
export function namesPaths(text: string): boolean {
  let found = false;
  rewriteLinks(text, (target) => {
    found ||= !target.startsWith('/') && pathLinked('', target) !== null;
    return undefined;
  });
  return found;
}

/** True when a text links into another space, to one of these pages, or with a query, which an import does not take over. */
export function linksOutOrTo(text: string, pages: ReadonlySet<string>): boolean {
  return linksIn(text).some(({ space, rest }) => space !== null || rest.startsWith('?')) || linksTo(text, pages);
}

/** True when a text links to one of these pages. */
export function linksTo(text: string, pages: ReadonlySet<string>): boolean {
  return linksIn(text).some(({ to, id }) => to === 'page' && pages.has(id));
}

/** Ids of the files that a page shows: those that its text shows or links to, and its cover. */
export function filesShown({ body, text }: Pick<Resource, 'body' | 'text'>): string[] {
  const { cover } = body;
  const ref = isRecord(cover) && isRecord(cover['ref']) ? textAt(cover['ref'], 'file') : undefined;
  const linked = linksIn(text ?? '').flatMap(({ to, id }) => (to === 'file' ? [id] : []));
  return ref === undefined ? linked : [...linked, ref];
}

export interface LinkedElsewhere {
  readonly space: string;
  /** Undefined for a link to the whole space. */
  readonly page: string | undefined;
}

/** What a text of one space links to in others. */
export function linkedElsewhere(text: string, own: string): LinkedElsewhere[] {
  return linksIn(text).flatMap(({ to, space, id }) =>
    space === null || space === own ? [] : [{ space, page: to === 'page' ? id : undefined }],
  );
}

/** Ids of all that: of the spaces, and of the pages in them. */
export function linksInto(text: string, own: string): string[] {
  return linkedElsewhere(text, own).flatMap(({ space, page }) => (page === undefined ? [space] : [space, page]));
}

/** Ids of the pages that a text links to, wherever they stand. */
export function pagesLinked(text: string): string[] {
  return linksIn(text).flatMap(({ to, id }) => (to === 'page' ? [id] : []));
}

function linksIn(text: string): LinkById[] {
  const links: LinkById[] = [];
  rewriteLinks(text, (_, link) => {
    if (link) links.push(link);
    return undefined;
  });
  return links;
}

interface LinkScope {
  /** Spaces whose pages count. */
  readonly spaces: ReadonlySet<string>;
  /** Spaces that were not asked for: links into them lead to the originals, and are not judged. */
  readonly left: ReadonlySet<string>;
  /** Pages of the others that were not asked for either. */
  readonly leftPages: ReadonlySet<string>;
}

/** How many links of a snapshot's pages name a page, file or space that the snapshot does not hold. */
export function* countBrokenLinks(reader: SnapshotReader, { spaces, left, leftPages }: LinkScope): Pieces<number> {
  const isLeft = ({ to, space, id }: LinkById): boolean =>
    left.has(space ?? '') || (to === 'page' && leftPages.has(id));
  let broken = 0;
  let looked = 0;
  for (const own of spaces) {
    for (const page of reader.resources('page', own)) {
      if (++looked % PAGES_AT_ONCE === 0) yield;
      if (page.text === null) continue;
      const judged = linksIn(page.text).filter((link) => !isLeft(link));
      broken += judged.filter((link) => isBroken(reader, own, link)).length;
    }
  }
  return broken;
}

/** True when the space that a link names, or the one that it stands in, does not hold what it leads to. */
export function isBroken(reader: SnapshotReader, own: string, { to, space, id }: LinkById): boolean {
  return reader.one(to, to === 'space' ? id : `${space ?? own}/${id}`) === undefined;
}
