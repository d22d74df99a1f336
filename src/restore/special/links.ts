// Stable links inside texts: `/pages/<id>`, `/files/<id>`, `/spaces/<id>[/pages/<id>]`.
import { rewriteLinks } from '../../base/index.ts';
import { pathLinked } from '../../export/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';

interface Link {
  readonly space: string | undefined;
  readonly page: string | undefined;
  readonly file: string | undefined;
  readonly rest: string;
}

type NewIds = Pick<IdMap, 'byId'>;

const STABLE = /^\/(?:spaces\/([\w-]+)(?:\/pages\/([\w-]+))?|pages\/([\w-]+)|files\/([\w-]+))((?:[#?].*)?)$/s;

function parse(target: string): Link | null {
  const found = STABLE.exec(target);
  return found && { space: found[1], page: found[2] ?? found[3], file: found[4], rest: found[5] ?? '' };
}

/** The address of the restored target of a link; undefined when it is no stable link or its target was not restored. */
function mapTarget(target: string, ids: NewIds): string | undefined {
  const link = parse(target);
  if (!link) return undefined;
  const file = link.file === undefined ? undefined : ids.byId('file', link.file);
  if (file !== undefined) return `/files/${file}${link.rest}`;
  const page = link.page === undefined ? undefined : ids.byId('page', link.page);
  if (link.space === undefined) return page && `/pages/${page}${link.rest}`;
  // A page that was brought back into a space that stands: only the page has another id.
  const space = ids.byId('space', link.space) ?? (page && link.space);
  if (space === undefined) return undefined;
  if (link.page === undefined) return `/spaces/${space}${link.rest}`;
  return page && `/spaces/${space}/pages/${page}${link.rest}`;
}

/** The text with every link whose target was restored pointing at the restored one; all else byte for byte. */
export function mapLinks(text: string, ids: NewIds): string {
  return rewriteLinks(text, (target) => mapTarget(target, ids));
}

/** The text with every link to a page of this space naming the page alone, which leads to the same place from within. */
export function withoutOwnSpace(text: string, own: string): string {
  return rewriteLinks(text, (target) => {
    const link = parse(target);
    return link?.space === own && link.page !== undefined ? `/pages/${link.page}${link.rest}` : undefined;
  });
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

/** True when a text links into another space, or to one of these pages. */
export function linksOutOrTo(text: string, pages: ReadonlySet<string>): boolean {
  return linksIn(text).some(({ space, page }) => space !== undefined || (page !== undefined && pages.has(page)));
}

/** Ids of the files that a text shows or links to. */
export function filesLinked(text: string): string[] {
  return linksIn(text).flatMap(({ file }) => (file === undefined ? [] : [file]));
}

export interface LinkedElsewhere {
  readonly space: string;
  /** Undefined for a link to the whole space. */
  readonly page: string | undefined;
}

/** What a text of one space links to in others. */
export function linkedElsewhere(text: string, own: string): LinkedElsewhere[] {
  return linksIn(text).flatMap(({ space, page }) => (space === undefined || space === own ? [] : [{ space, page }]));
}

/** Ids of all that: of the spaces, and of the pages in them. */
export function linksInto(text: string, own: string): string[] {
  return linkedElsewhere(text, own).flatMap(({ space, page }) => (page === undefined ? [space] : [space, page]));
}

/** Ids of the pages that a text links to, wherever they stand. */
export function pagesLinked(text: string): string[] {
  return linksIn(text).flatMap(({ page }) => (page === undefined ? [] : [page]));
}

function linksIn(text: string): Link[] {
  const links: Link[] = [];
  rewriteLinks(text, (target) => {
    const link = parse(target);
    if (link) links.push(link);
    return undefined;
  });
  return links;
}

export interface LinkScope {
  /** Spaces whose pages count. */
  readonly spaces: ReadonlySet<string>;
  /** Spaces that were not asked for: links into them lead to the originals, and are not judged. */
  readonly left: ReadonlySet<string>;
  /** Pages of the others that were not asked for either. */
  readonly leftPages: ReadonlySet<string>;
}

/** How many links of a snapshot's pages name a page, file or space that the snapshot does not hold. */
export function countBrokenLinks(reader: SnapshotReader, { spaces, left, leftPages }: LinkScope): number {
  const isLeft = ({ space, page }: Link): boolean => left.has(space ?? '') || leftPages.has(page ?? '');
  let broken = 0;
  for (const own of spaces) {
    for (const page of reader.resources('page', own)) {
      if (page.text === null) continue;
      const judged = linksIn(page.text).filter((link) => !isLeft(link));
      broken += judged.filter((link) => isBroken(reader, own, link)).length;
    }
  }
  return broken;
}

function isBroken(reader: SnapshotReader, own: string, link: Link): boolean {
  if (link.file !== undefined) return reader.one('file', `${own}/${link.file}`) === undefined;
  if (link.page !== undefined) return reader.one('page', `${link.space ?? own}/${link.page}`) === undefined;
  return link.space !== undefined && reader.one('space', link.space) === undefined;
}
