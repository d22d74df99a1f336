// Spaces have no listing of their own: each is taken in by whichever route shows it first in a walk, and every route is noted.
import {
  bodyOf,
  countKind,
  currentOf,
  heldByKey,
  mendBodies,
  move,
  noteRoute,
  wasRouted,
  type Current,
} from '../../mirror/index.ts';
import { visitChildren } from './children.ts';
import { demandId } from './demand-id.ts';
import { idIn, keptBody, type Body } from './parts.ts';
import { readRightsAgain } from './shown-by-members.ts';
import { organizationOf } from '../scope.ts';
import { take } from '../take.ts';
import type { Walk } from '../types.ts';
import { isWanted } from '../wanted.ts';

/** How a space was found; the listing of its collection tells its position too. */
export interface Route {
  readonly route: string;
  readonly position?: number;
}

/**
 * Takes in a space found by a route; a second route in the same walk is only noted, and the position that it shows. Call inside a
 * transaction. Throws for what has no id: it would be missing, and nothing would say so. Null for one that is not meant, or is deleted.
 */
export function seeSpace(walk: Walk, body: Body, { route, position }: Route): number | null {
  if (!isWanted(walk, 'space')) return null;
  const id = demandId('space', body, 'A space');
  // Whether listings go on to show what lies in the bin is not in the API document: who says so itself is as absent as what they lack.
  if (typeof body['deletedAt'] === 'string') return null;
  const known = currentOf(walk.mirror, 'space', id);
  if (known && wasRouted(walk, known.rid) && !hasMoved(walk, known, { body, position })) {
    noteRoute(walk, known.rid, route);
    if (position !== undefined) place(walk, known, position);
    return known.rid;
  }
  const params = { spaceId: id };
  const scope = organizationOf(walk, body);
  const seen = { kind: 'space', params, scope, body: keptBody('space', body) } as const;
  // A place is kept only where what is held says that the space has not left its collection.
  const order = mendBodies(walk.mirror, known, seen)
    ? orderOf(walk, { known, body, position })
    : { position: position ?? null };
  readRightsAgain(walk, { kind: 'space', key: id, body });
  const { rid } = take(walk, { ...seen, ...order });
  noteRoute(walk, rid, route);
  visitChildren(walk, { kind: 'space', rid, key: id, params, body });
  return rid;
}

/**
 * Takes in a space that was read again with its content, when it has moved on since the walk first came by it: it would be older than
 * what it holds until the next night. One that was moved or deleted meanwhile is left to the next night, which sees where it stands.
 */
export function renewSpace(walk: Walk, body: Body): void {
  const id = idIn('space', body);
  const known = id === undefined ? undefined : heldByKey(walk.mirror, 'space', id);
  const held = known && bodyOf(walk.mirror, known.rid);
  if (id === undefined || held === undefined || held['revision'] === body['revision']) return;
  if (typeof body['deletedAt'] === 'string' || (held['parent'] ?? null) !== (body['parent'] ?? null)) return;
  take(walk, { kind: 'space', params: { spaceId: id }, scope: null, body: keptBody('space', body), again: true });
}

interface Sighting {
  readonly known: Current | undefined;
  readonly body: Body;
  readonly position: number | undefined;
}

/** True when the listing of a collection shows a space that was found elsewhere when this walk first came by it. */
function hasMoved({ mirror }: Walk, { rid }: Current, { body, position }: Omit<Sighting, 'known'>): boolean {
  if (position === undefined || typeof body['parent'] !== 'string') return false;
  const held = bodyOf(mirror, rid)?.['parent'];
  return typeof held === 'string' && held !== body['parent'];
}

/** The position that the route shows; else the one that holds, unless the space has left its collection: see `takeOrder`. */
function orderOf({ mirror }: Walk, { known, body, position }: Sighting): { position?: number | null } {
  if (position !== undefined) return { position };
  if (known === undefined || known.position === null) return {};
  const before = bodyOf(mirror, known.rid)?.['parent'] ?? null;
  return before === (body['parent'] ?? null) ? {} : { position: null };
}

function place(walk: Walk, known: Current, position: number): void {
  if (known.vid === null || known.position === position) return;
  move(walk, known, { parent: known.parent, position });
  // It was counted as unchanged by the route that showed it first.
  if (known.valid_from !== walk.id) countKind(walk, 'space', { unchanged: -1, changed: 1 });
}
