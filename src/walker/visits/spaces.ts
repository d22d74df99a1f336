// Spaces have no listing of their own: each is taken in by whichever route shows it first in a walk, and every route is noted. What shows
// it within something else may leave out what is optional, so that says nothing of what it lacks: the space itself is asked.
import { canonicalJson, isRecord } from '../../base/index.ts';
import { childKinds, movedBy } from '../../contract/index.ts';
import {
  addVisit,
  bodyOf,
  countKind,
  currentOf,
  heldByKey,
  mendBodies,
  move,
  noteRoute,
  readMark,
  wasRouted,
  type Current,
} from '../../mirror/index.ts';
import { isDue, visitChildren } from './children.ts';
import { addCollectionAbove } from './collections-above.ts';
import { demandId } from './demand-id.ts';
import { idIn, isThere, keptBody, type Body } from './parts.ts';
import { readRightsAgain } from './shown-by-members.ts';
import { organizationOf } from '../scope.ts';
import { take } from '../take.ts';
import type { Walk } from '../types.ts';
import { isWanted } from '../wanted.ts';

/** How a space was found; the listing of its collection tells its position too. */
export interface Route {
  readonly route: string;
  readonly position?: number;
  /** It is shown within another resource. */
  readonly isEmbedded?: boolean;
}

/**
 * Takes in a space found by a route; a second route in the same walk is only noted, and what it alone shows. Call inside a
 * transaction. Throws for what has no id: it would be missing, and nothing would say so. Null for one that is not meant, or is deleted.
 */
export function seeSpace(walk: Walk, body: Body, found: Route): number | null {
  const { route, position } = found;
  if (!isWanted(walk, 'space')) return null;
  const id = demandId('space', body, 'A space');
  // Whether listings go on to show what lies in the bin is not in the API document: who says so itself is as absent as what they lack.
  if (typeof body['deletedAt'] === 'string') return null;
  const known = currentOf(walk.mirror, 'space', id);
  const again = known !== undefined && wasRouted(walk, known.rid);
  if (again && !tellsMore(walk, known, { body, found })) {
    noteRoute(walk, known.rid, route);
    if (position !== undefined) place(walk, known, position);
    return known.rid;
  }
  const whole = found.isEmbedded === true ? completed(walk, known, body) : body;
  const params = { spaceId: id };
  const seen = { kind: 'space', params, scope: organizationOf(walk, whole), body: keptBody('space', whole) } as const;
  // A place is kept only where what is held says that the space has not left its collection.
  const order = mendBodies(walk.mirror, known, seen)
    ? orderOf(walk, { known, body: whole, position })
    : { position: position ?? null };
  readRightsAgain(walk, { kind: 'space', key: id, body: whole });
  const { rid } = take(walk, { ...seen, ...order, again });
  noteRoute(walk, rid, route);
  addCollectionAbove(walk, whole);
  visitChildren(walk, { kind: 'space', rid, key: id, params, body: whole, again });
  return rid;
}

/**
 * With the fields that are held of a space and that what shows it within something else leaves out. They may be gone, as a space that has
 * left its collection has no parent any more: where anything that is shown has moved, and on its night of the rota, this walk asks the
 * space itself, which takes the place of what stands here.
 */
function completed(walk: Walk, known: Current | undefined, body: Body): Body {
  if (known === undefined) return body;
  const held = bodyOf(walk.mirror, known.rid);
  if (held === undefined || !lacks(body, held)) return body;
  const key = demandId('space', body, 'A space');
  if (!standsStill(held, body) || isReadTonight(walk, { rid: known.rid, key }))
    addVisit(walk, { task: 'space', params: { key } });
  return withLeftOut(held, body);
}

/** What a body shows, with what it leaves out of another one, within its fields too. */
function withLeftOut(held: Body, body: Body): Body {
  const whole: Record<string, unknown> = { ...held, ...body };
  for (const [field, value] of Object.entries(held)) {
    const shown = body[field];
    if (!isThere(shown)) whole[field] = value;
    else if (isRecord(shown) && isRecord(value)) whole[field] = withLeftOut(value, shown);
  }
  return whole;
}

/** Nothing that is shown has moved, and all that moves with what is below is shown. */
function standsStill(held: Body, body: Body): boolean {
  const said = (value: unknown): string => canonicalJson(value ?? null);
  const shown = keptBody('space', body);
  const isSame = (field: string): boolean => said(shown[field]) === said(held[field]);
  return [...Object.keys(shown), ...childKinds('space').flatMap(movedBy)].every(isSame);
}

/** True where its content is read on this night too: in a full walk, on its night of the rota, and where no mark of it stands. */
function isReadTonight(walk: Walk, { rid, key }: { readonly rid: number; readonly key: string }): boolean {
  const known = walk.mode === 'full' ? undefined : readMark(walk.mirror, rid, 'revision');
  return known === undefined || isDue(walk, { kind: 'space', key }, known);
}

/**
 * Takes in a space that was read again with its content, when it has moved on since the walk first came by it: it would be older than
 * what it holds until the next night. One that was moved or deleted meanwhile is left to the next night, which sees where it stands.
 */
export function renewSpace(walk: Walk, body: Body): void {
  const id = idIn('space', body);
  const known = id === undefined ? undefined : heldByKey(walk.mirror, 'space', id);
  const held = known && bodyOf(walk.mirror, known.rid);
  if (id === undefined || held === undefined || typeof body['deletedAt'] === 'string') return;
  // Only what is held without a parent may have been shown without the one that it has.
  const isMoved = (held['parent'] ?? null) !== (body['parent'] ?? null) && isThere(held['parent']);
  if (isMoved || (held['revision'] === body['revision'] && !lacks(held, body))) return;
  take(walk, { kind: 'space', params: { spaceId: id }, scope: null, body: keptBody('space', body), again: true });
}

interface Sighting {
  readonly known: Current | undefined;
  readonly body: Body;
  readonly position: number | undefined;
}

interface Shown {
  readonly body: Body;
  readonly found: Route;
}

/** True for a read of the space itself, and for a listing of spaces that shows more of it than is held, or shows it elsewhere. */
function tellsMore(walk: Walk, known: Current, { body, found }: Shown): boolean {
  if (found.isEmbedded === true) return false;
  const held = bodyOf(walk.mirror, known.rid);
  if (found.position === undefined || held === undefined) return true;
  return lacks(held, body) || hasMoved(held, body);
}

/** True when the listing of a collection shows a space that was found elsewhere when this walk first came by it. */
function hasMoved(held: Body, body: Body): boolean {
  return typeof body['parent'] === 'string' && typeof held['parent'] === 'string' && held['parent'] !== body['parent'];
}

/** True when a body leaves out a field that another one has. */
function lacks(body: Body, other: Body): boolean {
  return Object.entries(other).some(([field, value]) => isThere(value) && !isThere(body[field]));
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
