// Reading a listing or a tree although what holds it says that it stands still.
import { childKinds, isKindName, kindOf, type KindName } from '../../contract/index.ts';
import {
  addVisit,
  clearReadMarks,
  countUnchangedBelow,
  lastVisit,
  listingsStanding,
  readMark,
  resourceByNumber,
  uncountUnchangedBelow,
  type ListingPlace,
  type NumberedResource,
  type ReadMark,
} from '../../mirror/index.ts';
import { placeOf } from '../order.ts';
import type { Walk } from '../types.ts';
import { isWanted } from '../wanted.ts';
import { stageOf } from './settled.ts';

/** What stands above a listing or tree. */
type Holder = Pick<NumberedResource, 'rid' | 'params'>;

/** By which visit a kind below a resource is read. */
export function taskFor(kind: KindName): 'listing' | 'content' {
  return kindOf(kind).embeds?.['pages'] === undefined ? 'listing' : 'content';
}

interface Again {
  readonly holder: Holder;
  /** What the read is noted under: an empty one is that of no revision, so that the next walk reads it anew. */
  readonly mark: string;
}

/** Adds the visit of a listing or tree that was counted as unchanged. One that waits already is not added twice. */
export function readAgain(walk: Walk, kind: KindName, again: Again): void {
  const { rid } = again.holder;
  const before = lastVisit(walk.mirror);
  addReading(walk, kind, again);
  // What is read once more is counted once more.
  if (lastVisit(walk.mirror) !== before && wasCounted(walk, rid, kind)) uncountUnchangedBelow(walk, rid, kind);
}

function addReading(walk: Walk, kind: KindName, { holder: { rid, params }, mark }: Again): void {
  const visit = { kind, scope: rid, path: params, mark };
  addVisit(walk, {
    task: taskFor(kind),
    params: visit,
    stage: stageOf(walk, kind, params),
    place: placeOf(walk, params),
  });
}

/**
 * Reads a listing whose fields stand still although what it shows has moved, where this walk has counted it as unmoved. One that the walk
 * has not come by yet is read then; where that cannot be any more, the next walk does.
 */
export function readUnmoved(walk: Walk, kind: KindName, holder: Holder): void {
  const known = markBefore(walk, kind, holder);
  if (known === undefined) return;
  if (uncountUnmovedOf(walk, holder.rid, kind)) addReading(walk, kind, { holder, mark: known.mark });
  else clearReadMarks(walk.mirror, holder.rid, kind);
}

/** The same by the next walk alone. */
export function leaveUnmoved(walk: Walk, kind: KindName, holder: Pick<Holder, 'rid'>): void {
  if (markBefore(walk, kind, holder) !== undefined) clearReadMarks(walk.mirror, holder.rid, kind);
}

/** The mark of a listing that this walk has not read. */
function markBefore({ mirror, id }: Walk, kind: KindName, { rid }: Pick<Holder, 'rid'>): ReadMark | undefined {
  const known = readMark(mirror, rid, kind);
  return known?.snapshot === id ? undefined : known;
}

/** Counts all of a kind below a resource as unchanged, and notes that it was. */
export function takeUnmoved(walk: Walk, scope: number, kind: KindName): void {
  walk.unmoved.add(noteOf(scope, kind));
  countUnchangedBelow(walk, scope, kind);
}

/** Takes back what was counted as unchanged below something that has ended since. */
export function uncountUnmoved(walk: Walk, { rid, kind }: Pick<NumberedResource, 'rid' | 'kind'>): void {
  for (const child of childKinds(kind)) uncountUnmovedOf(walk, rid, child);
}

/** Takes back what was counted as unchanged of a kind below a resource; answers whether anything was. */
export function uncountUnmovedOf(walk: Walk, scope: number, kind: KindName): boolean {
  const was = walk.unmoved.delete(noteOf(scope, kind));
  if (was) uncountUnchangedBelow(walk, scope, kind);
  return was;
}

function noteOf(scope: number, kind: string): string {
  return `${scope} ${kind}`;
}

/**
 * What the runs before this one have so counted, of a walk that was cut off: of what they were shown, they have either read what is listed
 * below it, or left a visit of that, or taken back its mark, or counted it.
 */
export function unmovedBefore(
  walk: Pick<Walk, 'mirror' | 'id' | 'mode' | 'wanted'>,
  waiting: Iterable<ListingPlace>,
): string[] {
  if (walk.mode === 'full') return [];
  const left = new Set(Array.from(waiting, ({ scope, kind }) => noteOf(scope, kind)));
  return listingsStanding(walk).flatMap(({ scope, kind }) => {
    const isOfMoving = isKindName(kind) && kindOf(kind).movesWith !== undefined && isWanted(walk, kind);
    return isOfMoving && !left.has(noteOf(scope, kind)) ? noteOf(scope, kind) : [];
  });
}

/** True for what this walk has read, or counted as unchanged with all that stands around it; not for what it did not come to. */
function wasCounted({ mirror, id, unmoved }: Walk, scope: number, kind: KindName): boolean {
  if (readMark(mirror, scope, kind)?.snapshot === id) return true;
  if (unmoved.has(noteOf(scope, kind))) return true;
  for (let at = resourceByNumber(mirror, scope); at !== undefined && at.scope !== null;) {
    if (unmoved.has(noteOf(at.scope, at.kind))) return true;
    at = resourceByNumber(mirror, at.scope);
  }
  return false;
}
