// Spaces have no listing of their own: each is taken in by whichever route shows it first in a walk, and every route is noted.
import { currentOf, noteRoute, wasRouted } from '../mirror/index.ts';
import { visitChildren } from './children.ts';
import { idIn, keptBody, type Body } from './parts.ts';
import { take } from './take.ts';
import type { Walk } from './types.ts';
import { isWanted } from './wanted.ts';

/** Takes in a space found by a route; a second route in the same walk is only noted. Call inside a transaction. */
export function seeSpace(walk: Walk, body: Body, route: string): number | null {
  const id = idIn('space', body);
  if (id === undefined || !isWanted(walk, 'space')) return null;
  const known = currentOf(walk.mirror, 'space', id);
  if (known && wasRouted(walk, known.rid)) {
    noteRoute(walk, known.rid, route);
    return known.rid;
  }
  const params = { spaceId: id };
  const organization = typeof body['organization'] === 'string' ? body['organization'] : '';
  const scope = currentOf(walk.mirror, 'organization', organization)?.rid ?? null;
  const { rid } = take(walk, { kind: 'space', params, scope, body: keptBody('space', body) });
  noteRoute(walk, rid, route);
  visitChildren(walk, { kind: 'space', rid, key: id, params, body });
  return rid;
}
