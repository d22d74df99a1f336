// Spaces and collections share one order among the children of a parent.
import type { PlatformContext } from '../context.ts';
import { positionBetween } from '../position.ts';
import { conflict, invalid } from '../refusal.ts';

export interface Sibling {
  id: string;
  type: 'space' | 'collection';
  position: string;
  deleted: number;
}

/** `parent` null is the root of the organization. */
export interface Place {
  organization: string;
  parent: string | null;
}

export interface WantedPosition {
  before?: SiblingPointer;
  after?: SiblingPointer;
}

export type SiblingPointer = { type: 'space'; space: string } | { type: 'collection'; collection: string };

/** What stands at a place, in order; deleted spaces keep theirs, so they are listed too. */
export function siblingsAt(context: Pick<PlatformContext, 'db'>, place: Place): Sibling[] {
  return context.db
    .prepare<Sibling>(
      `select id, 'space' as type, position, deleted_at is not null as deleted from spaces
         where organization = @organization and parent is @parent
       union all
       select id, 'collection', position, 0 from collections where organization = @organization and parent is @parent
       order by position`,
    )
    .all({ organization: place.organization, parent: place.parent });
}

/** The position of something new at the end of a place. */
export function endPosition(context: Pick<PlatformContext, 'db'>, place: Place): string {
  return positionBetween(siblingsAt(context, place).at(-1)?.position ?? null, null);
}

/**
 * Where something that moves comes to stand: right before, right after, between two neighbours, or at the end when nothing is
 * named. 400 for a sibling that is not there or a gap that is none; 409 when it stands there already.
 */
export function movedPosition(
  context: Pick<PlatformContext, 'db'>,
  place: Place,
  move: { id: string; position: WantedPosition | undefined },
): string {
  const all = siblingsAt(context, place);
  const others = all.filter((sibling) => sibling.id !== move.id);
  const index = insertionIndex(others, move.position ?? {});
  const visible = (siblings: Sibling[]): string[] => siblings.filter((s) => s.deleted === 0).map((s) => s.id);
  const moved = [...visible(others.slice(0, index)), move.id, ...visible(others.slice(index))];
  if (visible(all).join() === moved.join()) throw conflict('The move would change nothing');
  return positionBetween(others[index - 1]?.position ?? null, others[index]?.position ?? null);
}

function insertionIndex(siblings: Sibling[], wanted: WantedPosition): number {
  const before = wanted.before && indexOf(siblings, wanted.before, 'position/before');
  const after = wanted.after && indexOf(siblings, wanted.after, 'position/after');
  if (before !== undefined && after !== undefined) {
    const between = siblings.slice(after + 1, before).filter((sibling) => sibling.deleted === 0);
    if (after >= before || between.length > 0) throw invalid('position', 'before and after are not neighbours');
    return before;
  }
  if (before !== undefined) return before;
  return after === undefined ? siblings.length : after + 1;
}

function indexOf(siblings: Sibling[], pointer: SiblingPointer, field: string): number {
  const id = pointer.type === 'space' ? pointer.space : pointer.collection;
  const index = siblings.findIndex((s) => s.id === id && s.type === pointer.type && s.deleted === 0);
  if (index < 0) throw invalid(field, `${pointer.type} ${id} does not stand at this place`);
  return index;
}
