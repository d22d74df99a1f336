// Once all is read: an edit of a space changes which pages of its change requests have a text of their own, although nothing of the
// requests has moved. Those pages get document trees; a page that shows the text of the space again loses its own.
import {
  countKind,
  lapse,
  lastSealed,
  noteCaughtUp,
  openedSnapshot,
  caughtUpTo,
  unevenSince,
} from '../../mirror/index.ts';
import { addLateDocument } from './documents.ts';
import { isInside } from '../scope.ts';
import type { Walk } from '../types.ts';
import { isWanted } from '../wanted.ts';

const kind = 'change-request-page-document';

/** Adds visits for the documents that change requests lack since their space changed, and ends those that they no longer need. */
export function takeRequestDocuments(walk: Walk): void {
  if (!isWanted(walk, kind)) return;
  for (const page of unevenSince(walk.mirror, sinceWhen(walk))) {
    if (!isInside(walk, page.params['spaceId'] ?? '')) continue;
    if (page.document === null) addLateDocument(walk, kind, page);
    else endDocument(walk, page.document);
  }
  // A limited walk leaves the rest to one of everything.
  if (openedSnapshot(walk.mirror)?.scope === null) noteCaughtUp(walk, 'request_trees');
}

/** Up to which snapshot this was done. A mirror in which it never was begins with the last walk; the rota brings what is older. */
function sinceWhen({ mirror, id }: Walk): number {
  return caughtUpTo(mirror, 'request_trees') ?? (lastSealed(mirror) === undefined ? 0 : id - 1);
}

type HeldDocument = NonNullable<ReturnType<typeof unevenSince>[number]['document']>;

/** Ends a document, and takes it out of the counts of this walk, which has counted it already. */
function endDocument(walk: Walk, { rid, from }: HeldDocument): void {
  lapse(walk, rid);
  countKind(walk, kind, { seen: -1, [from === walk.id ? 'added' : 'unchanged']: -1 });
}
