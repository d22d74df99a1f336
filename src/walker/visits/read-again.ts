// Reading a tree although what holds it says that it stands still.
import type { KindName } from '../../contract/index.ts';
import { addVisit, lastVisit, uncountUnchangedBelow, type NumberedResource } from '../../mirror/index.ts';
import { placeOf } from '../order.ts';
import type { Walk } from '../types.ts';

interface Again {
  /** The space or change request whose revision it is. */
  readonly holder: Pick<NumberedResource, 'rid' | 'params'>;
  /** What the read is noted under: an empty one is that of no revision, so that the next walk reads the tree anew. */
  readonly mark: string;
}

/** Adds the visit of a tree that was counted as unchanged. One that waits already is not added twice. */
export function readTreeAgain(walk: Walk, kind: KindName, { holder: { rid, params }, mark }: Again): void {
  const before = lastVisit(walk.mirror);
  addVisit(walk, { task: 'content', params: { kind, scope: rid, path: params, mark }, place: placeOf(walk, params) });
  // What is read once more is counted once more.
  if (lastVisit(walk.mirror) !== before) uncountUnchangedBelow(walk, rid, kind);
}
