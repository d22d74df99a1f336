// The order of visits: listings above spaces first, then the spaces of which something is still missing, then the others, each
// space to its end before the next; so what a walk that ends early has read is whole, and the next one begins with the rest.
import { currentOf } from '../mirror/index.ts';
import type { Walk } from './types.ts';

/** Visits of a later stage wait until the earlier ones are empty. */
export const STAGES = {
  /** Listings, trees, texts, bytes. */
  read: 0,
  /** Direct reads of what listings lack. */
  absent: 1,
  /** Comparing revisions and counts once more, and what needs every route to be walked. */
  settle: 2,
  /** What is looked at once all that is there is known; and once more, after what was not in order was listed again. */
  order: 3,
  orderAgain: 4,
  /** What stands beside all that is there, found late or not, and what shows the same as something that is there. */
  beside: 5,
} as const;

const ABOVE_SPACES = 0;
const AFTER_FIRST = 2 ** 40;

/** The place of a visit below a space, or above all of them. */
export function placeOf(walk: Walk, path: Readonly<Record<string, unknown>>): number {
  const space = path['spaceId'];
  if (typeof space !== 'string') return ABOVE_SPACES;
  const known = walk.places.get(space);
  if (known !== undefined) return known;
  const rid = currentOf(walk.mirror, 'space', space)?.rid;
  if (rid === undefined) return ABOVE_SPACES;
  const place = walk.first.has(space) ? rid : rid + AFTER_FIRST;
  walk.places.set(space, place);
  return place;
}
