// Taking one resource in: what the mirror records, and beside it what a body tells about itself: what the contract does not
// know, and which rights the caller has lost.
import {
  ALL_RIGHTS,
  CONTAINERS,
  bodyOf,
  knownOf,
  lastWhole,
  lostRights,
  mendBodies,
  noteDrift,
  noteRights,
  observe,
  reappear,
} from '../mirror/index.ts';
import type { Current, Observation, Observed } from '../mirror/index.ts';
import type { Walk } from './types.ts';
import type { Body } from './visits/parts.ts';

/**
 * Records a resource in the open snapshot, and puts right what was damaged of it; it is neither missing nor out of reach any more.
 * Call inside a transaction. A caller that has looked the resource up already passes it as `known`.
 */
export function take(
  walk: Walk,
  seen: Observation,
  { known }: { readonly known: Current | undefined } = { known: knownOf(walk.mirror, seen) },
): Observed {
  const isContainer = CONTAINERS.has(seen.kind);
  const isMended = mendBodies(walk.mirror, known, seen);
  const before = isContainer ? heldBefore(walk, known, isMended) : undefined;
  const observed = observe(walk, seen, { known: isMended ? known : knownOf(walk.mirror, seen) });
  if (observed.outcome === 'unchanged') reappear(walk.mirror, observed.rid);
  else noteDrift(walk, seen.kind, walk.unknownsIn(seen.kind, seen.body));
  if (isContainer) noteRights(walk, observed.rid, { lost: lostRights(before, seen.body), now: seen.body });
  return observed;
}

function heldBefore({ mirror, acceptRights }: Walk, known: Current | undefined, isMended: boolean): Body | undefined {
  if (acceptRights === true || known === undefined || known.vid === null) return undefined;
  return isMended ? bodyOf(mirror, known.rid) : (lastWhole(mirror, known.rid) ?? ALL_RIGHTS);
}
