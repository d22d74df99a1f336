// The place of a space on a site goes with the space, and no operation reads it by itself: the end of the space is its end.
import { isRecord } from '../../base/index.ts';
import {
  bodyOf,
  bury,
  currentOf,
  evidenceOf,
  heldOf,
  missingSince,
  withdrawUnlisted,
  type Evidence,
  type Held,
} from '../../mirror/index.ts';
import type { Walk } from '../types.ts';

const PLACE = 'site-space';

/** Ends the places of a space that is gone, which the listings of their sites show no more, with the same evidence. */
export function buryPlaces(walk: Walk, { key: space }: Pick<Held, 'key'>, evidence: Evidence): void {
  for (const { rid } of heldOf(walk.mirror, PLACE)) {
    // An earlier suspicion is told by the listing itself.
    if (missingSince(walk.mirror, rid) !== walk.id || spaceShown(walk, rid) !== space) continue;
    withdrawUnlisted(walk, { kind: PLACE });
    bury(walk, { rid }, evidence);
  }
}

/** What proves that the space is gone which stood in this place; undefined for what is no such place, and while the space is there. */
export function endOfShown(walk: Walk, { kind, rid }: Pick<Held, 'kind' | 'rid'>): Evidence | undefined {
  const space = kind === PLACE ? spaceShown(walk, rid) : undefined;
  const known = space === undefined ? undefined : currentOf(walk.mirror, 'space', space);
  return known && evidenceOf(walk.mirror, known.rid);
}

/** Its id. */
function spaceShown({ mirror }: Walk, rid: number): string | undefined {
  const space = bodyOf(mirror, rid)?.['space'];
  return isRecord(space) && typeof space['id'] === 'string' ? space['id'] : undefined;
}
