// Reading a tree although what holds it says that it stands still.
import { childKinds, type KindName } from '../../contract/index.ts';
import {
  addVisit,
  countUnchangedBelow,
  lastVisit,
  readMark,
  resourceByNumber,
  uncountUnchangedBelow,
  type NumberedResource,
} from '../../mirror/index.ts';
import { placeOf } from '../order.ts';
import type { Walk } from '../types.ts';

interface Again {
  /** The space or change request whose revision it is. */
  readonly holder: Pick<NumberedResource, 'rid' | 'params'>;
  /** What the read is noted under: an empty one is that of no revision, so that the next walk reads the tree anew. */
  readonly mark: string;
}

/** Adds the visit of a tree that was counted as unchanged. One that waits already is not added twice. */
export function readTreeAgain(walk: Walk, kind: KindName, again: Again): void {
  readAgain(walk, { ...again, kind, task: 'content' });
}

/** The same for a listing. */
export function readListAgain(walk: Walk, kind: KindName, again: Again): void {
  readAgain(walk, { ...again, kind, task: 'listing' });
}

interface Reading extends Again {
  readonly kind: KindName;
  readonly task: 'content' | 'listing';
}

function readAgain(walk: Walk, { kind, task, holder: { rid, params }, mark }: Reading): void {
  const before = lastVisit(walk.mirror);
  addVisit(walk, { task, params: { kind, scope: rid, path: params, mark }, place: placeOf(walk, params) });
  // What is read once more is counted once more.
  if (lastVisit(walk.mirror) !== before && wasCounted(walk, rid, kind)) uncountUnchangedBelow(walk, rid, kind);
}

/** Counts all of a kind below a resource as unchanged, and notes that it was. */
export function takeUnmoved(walk: Walk, scope: number, kind: KindName): void {
  walk.unmoved?.add(noteOf(scope, kind));
  countUnchangedBelow(walk, scope, kind);
}

/** Takes back what was counted as unchanged below something that has ended since. */
export function uncountUnmoved(walk: Walk, { rid, kind }: Pick<NumberedResource, 'rid' | 'kind'>): void {
  for (const child of childKinds(kind)) uncountUnmovedOf(walk, rid, child);
}

/** Takes back what was counted as unchanged of a kind below a resource; answers whether anything was. */
export function uncountUnmovedOf(walk: Walk, scope: number, kind: KindName): boolean {
  const was = walk.unmoved?.delete(noteOf(scope, kind)) === true;
  if (was) uncountUnchangedBelow(walk, scope, kind);
  return was;
}

function noteOf(scope: number, kind: string): string {
  return `${scope} ${kind}`;
}

/** True for what this walk has read, or counted as unchanged with all that stands around it; not for what it did not come to. */
function wasCounted({ mirror, id, unmoved }: Walk, scope: number, kind: KindName): boolean {
  if (unmoved === null || readMark(mirror, scope, kind)?.snapshot === id) return true;
  if (unmoved.has(noteOf(scope, kind))) return true;
  for (let at = resourceByNumber(mirror, scope); at !== undefined && at.scope !== null;) {
    if (unmoved.has(noteOf(at.scope, at.kind))) return true;
    at = resourceByNumber(mirror, at.scope);
  }
  return false;
}
