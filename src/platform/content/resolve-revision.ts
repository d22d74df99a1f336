import { notFound } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { findChangeRequest } from '../store/change-requests.ts';
import { readRevision } from '../store/revisions.ts';
import { findSpace } from '../store/spaces.ts';
import type { StoredRevision } from './revision-cache.ts';
import type { TreeFile, TreePage } from './tree.ts';

/** Which content: that of a space, or of one of its change requests. */
export interface ContentPlace {
  readonly spaceId: string;
  readonly changeRequestId?: string;
}

/** The active revision of the place. */
export function revisionAt(context: PlatformContext, place: ContentPlace): StoredRevision {
  const space = findSpace(context, place.spaceId);
  if (place.changeRequestId === undefined) return readRevision(context, space.revision);
  return readRevision(context, findChangeRequest(context, space.id, place.changeRequestId).revision);
}

export function pageIn(revision: StoredRevision, id: string): TreePage {
  const page = revision.pages.get(id);
  if (!page) throw notFound('Page', id);
  return page;
}

export function fileIn(revision: StoredRevision, id: string): TreeFile {
  const file = revision.files.get(id);
  if (!file) throw notFound('File', id);
  return file;
}
