// The place of a space on a site goes with the space, and no operation reads it by itself: the end of the space is its end.
import { valueAt } from '../../base/index.ts';
import {
  bodyOf,
  bury,
  currentOf,
  evidenceOf,
  newlyMissing,
  withdrawUnlisted,
  type Evidence,
  type Held,
} from '../../mirror/index.ts';
import type { Walk } from '../types.ts';

const PLACE = 'site-space';
const SPACE_SHOWN = 'space.id';

/** Ends the places of a space that is gone, which the listings of their sites show no more, with the same evidence. */
export function buryPlaces(walk: Walk, { key: space }: Pick<Held, 'key'>, evidence: Evidence): void {
  // An earlier suspicion is told by the listing itself.
  for (const rid of newlyMissing(walk, { kind: PLACE, field: SPACE_SHOWN, value: space })) {
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
  const space = valueAt(bodyOf(mirror, rid) ?? {}, SPACE_SHOWN);
  return typeof space === 'string' ? space : undefined;
}
