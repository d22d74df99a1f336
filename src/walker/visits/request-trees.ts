// Once all is read: an edit of a space changes which pages of its change requests show a text of their own, although nothing of
// the requests has moved. Those get their trees, and what shows the text of the space again has one no more.
import {
  countKind,
  lapse,
  lastSealed,
  noteSettled,
  openedSnapshot,
  settledUpTo,
  unevenSince,
  type UnevenPage,
} from '../../mirror/index.ts';
import { addLateDocument } from './documents.ts';
import { isInside } from './pdfs.ts';
import type { Walk } from '../types.ts';
import { isWanted } from '../wanted.ts';

const kind = 'change-request-page-document';

/** Adds the visits of trees that change requests lack since their space has changed, and ends those that they have too many. */
export function takeRequestTrees(walk: Walk): void {
  if (!isWanted(walk, kind)) return;
  for (const page of unevenSince(walk.mirror, sinceWhen(walk))) {
    if (!isInside(walk, page.params['spaceId'] ?? '')) continue;
    if (page.tree === null) addLateDocument(walk, kind, page);
    else endTree(walk, page.tree);
  }
  // A limited walk leaves the rest to one of everything.
  if (openedSnapshot(walk.mirror)?.scope === null) noteSettled(walk, 'request_trees');
}

/** What is older than the first walk that does this comes with the rota. */
function sinceWhen({ mirror, id }: Walk): number {
  return settledUpTo(mirror, 'request_trees') ?? (lastSealed(mirror) === undefined ? 0 : id - 1);
}

/** This walk has counted it already. */
function endTree(walk: Walk, { rid, from }: NonNullable<UnevenPage['tree']>): void {
  lapse(walk, rid);
  countKind(walk, kind, { seen: -1, [from === walk.id ? 'added' : 'unchanged']: -1 });
}
