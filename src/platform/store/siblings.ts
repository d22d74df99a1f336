// Spaces and collections share one order among the children of a parent.
import { conflict } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { positionBetween } from '../position.ts';
import { insertionIndex, positionAtIndex, type Sibling } from './order.ts';

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
function siblingsAt(context: Pick<PlatformContext, 'db'>, place: Place): Sibling[] {
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
  const last = context.db
    .prepare<{ position: string | null }>(
      `select max(position) as position from (
         select max(position) as position from spaces where organization = @organization and parent is @parent
         union all select max(position) from collections where organization = @organization and parent is @parent)`,
    )
    .get({ organization: place.organization, parent: place.parent });
  return positionBetween(last?.position ?? null, null);
}

/** The position of something new right behind something that stands at a place. */
export function positionBehind(context: Pick<PlatformContext, 'db'>, before: Place & { position: string }): string {
  const { organization, parent, position } = before;
  const next = context.db
    .prepare<{ position: string | null }>(
      `select min(position) as position from (
         select min(position) as position from spaces
           where organization = @organization and parent is @parent and position > @position
         union all select min(position) from collections
           where organization = @organization and parent is @parent and position > @position)`,
    )
    .get({ organization, parent, position });
  return positionBetween(position, next?.position ?? null);
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
