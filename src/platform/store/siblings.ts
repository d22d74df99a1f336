// Spaces and collections share one order among the children of a parent.
import { conflict } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { insertionIndex, positionAtEnd, positionAtIndex, type Sibling } from './order.ts';

/** `parent` null is the root of the organization. */
export interface Place {
  organization: string;
  parent: string | null;
}

export interface WantedPosition {
  before?: ContentPointer;
  after?: ContentPointer;
}

type ContentPointer = { type: 'space'; space: string } | { type: 'collection'; collection: string };

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
  return positionAtEnd(siblingsAt(context, place));
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
  const { before, after } = move.position ?? {};
  const index = insertionIndex(others, { before: before && pointed(before), after: after && pointed(after) });
  const visible = (siblings: Sibling[]): string[] => siblings.filter((s) => s.deleted === 0).map((s) => s.id);
  const moved = [...visible(others.slice(0, index)), move.id, ...visible(others.slice(index))];
  if (visible(all).join() === moved.join()) throw conflict('The move would change nothing');
  return positionAtIndex(others, index);
}

function pointed(pointer: ContentPointer): { type: string; id: string } {
  return { type: pointer.type, id: pointer.type === 'space' ? pointer.space : pointer.collection };
}
