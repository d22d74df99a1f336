// Which pages and files of a change request are its own: those that are not the same in the space.
import type { Pieces } from '../../base/index.ts';
import { PAGES_AT_ONCE, type Resource, type SnapshotReader } from '../../mirror/index.ts';
import { PAGE_FIELDS } from './page-fields.ts';
import { pageAbove } from './page-places.ts';
import { keyAbove, lastOf, spaceOf, textAt } from '../resource.ts';

/**
 * Pages of a change request that differ from the space's page of the same id, or that the space does not have; null now and then,
 * where others may have their turn.
 */
export function* changedPages(reader: SnapshotReader, request: Resource): IterableIterator<Resource | null> {
  let looked = 0;
  for (const page of reader.resources('change-request-page', request.key)) {
    if (++looked % PAGES_AT_ONCE === 0) yield null;
    if (isOwn(reader, page)) yield page;
  }
}

function isOwn(reader: SnapshotReader, page: Resource): boolean {
  const main = reader.one('page', `${spaceOf(page)}/${page.id}`);
  return !main || !isSame(main, page);
}

/** How many those are. */
export function* countChanged(reader: SnapshotReader, request: Resource): Pieces<number> {
  let changed = 0;
  for (const page of changedPages(reader, request)) {
    if (page === null) yield;
    else changed += 1;
  }
  return changed;
}

/** Files of a change request that the space does not have, or has with other bytes. */
export function* ownFiles(reader: SnapshotReader, request: Resource): IterableIterator<Resource> {
  const space = spaceOf(request);
  for (const file of reader.resources('change-request-file', request.key)) {
    const main = reader.one('file', `${space}/${file.id}`);
    if (!main || main.object?.sha256 !== file.object?.sha256) yield file;
  }
}

const SHOWN = [...PAGE_FIELDS, 'path', 'type'] as const;

function isSame(main: Resource, page: Resource): boolean {
  return main.text === page.text && SHOWN.every((field) => main.body[field] === page.body[field]);
}

/** Pages of the space that a change request does not have, or has in another place: an import into it leaves them where they are. */
export function* leftBehind(reader: SnapshotReader, request: Resource): Pieces<Resource[]> {
  const left: Resource[] = [];
  let looked = 0;
  for (const page of reader.resources('page', spaceOf(request))) {
    if (++looked % PAGES_AT_ONCE === 0) yield;
    if (isLeftBehind(reader, request, page)) left.push(page);
  }
  return left;
}

/** Ids of pages of a change request that the snapshot could not read, there or in the space: whether they differ, nobody can tell. */
export function unreadPages(reader: SnapshotReader, request: Resource): ReadonlySet<string> {
  const keys = [...reader.unread('change-request-page', request.key), ...reader.unread('page', spaceOf(request))];
  return new Set(keys.map(lastOf));
}

/** How many pages of a change request are known by their ids alone. */
export function neverRead(reader: SnapshotReader, request: Resource): number {
  const kind = 'change-request-page';
  return reader.unread(kind, request.key).filter((key) => reader.one(kind, key) === undefined).length;
}

/** False where the snapshot shows a tree as an earlier one has seen it, or not all of it. */
export function wereTreesRead(reader: SnapshotReader, request: Resource): boolean {
  const space = spaceOf(request);
  return (
    !reader.unread('change-request-revision', space).includes(request.key) &&
    !reader.unread('revision').includes(space) &&
    !unreadPages(reader, request).has('*')
  );
}

/** A link has no address of its own: it is elsewhere when it stands below another page, or below one that is elsewhere. */
function isLeftBehind(reader: SnapshotReader, request: Resource, page: Resource): boolean {
  const own = reader.one('change-request-page', `${request.key}/${page.id}`);
  if (!own || own.body['path'] !== page.body['path']) return true;
  if ((page.body['path'] ?? undefined) !== undefined) return false;
  if (own.parent !== page.parent) return true;
  const above = pageAbove(reader, page);
  return above !== undefined && isLeftBehind(reader, request, above);
}

/**
 * True when a request stands on the very revision of its space that the snapshot holds. Whether it is outdated is told when requests
 * are listed, before the space may be read, and not by every platform.
 */
export function isOfSpace(reader: SnapshotReader, request: Resource): boolean {
  const base = request.body['revisionMergedAncestor'] ?? request.body['revisionInitial'];
  return base !== undefined && base === reader.one('revision', spaceOf(request))?.body['id'];
}

/** True for a page of a request of another revision: its siblings are those of the space as it is now, whatever they were then. */
export function isAmongOthers(reader: SnapshotReader, { kind, key }: Pick<Resource, 'kind' | 'key'>): boolean {
  if (kind !== 'change-request-page') return false;
  const request = reader.one('change-request', keyAbove(key));
  return request !== undefined && !isOfSpace(reader, request);
}

/**
 * True for a page of a request of another revision, or one below it, at whose address the space has had another page since: a request
 * that is made anew has both, and only one of them can be there.
 */
export function isWhereOtherCame(reader: SnapshotReader, page: Resource): boolean {
  if (!isAmongOthers(reader, page)) return false;
  const paths = new Set<unknown>();
  for (let at: Resource | undefined = page; at !== undefined; at = pageAbove(reader, at))
    paths.add(textAt(at.body, 'path'));
  paths.delete(undefined);
  for (const { id, holds, body } of reader.outline('page', spaceOf(page))) {
    const isThere = holds && paths.has(textAt(body, 'path'));
    if (isThere && reader.one('change-request-page', `${keyAbove(page.key)}/${id}`) === undefined) return true;
  }
  return false;
}
