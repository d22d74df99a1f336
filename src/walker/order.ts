// The order of visits: listings above spaces first, then the spaces of which something is still missing, then the others, each
// space to its end before the next; so what a walk that ends early has read is whole, and the next one begins with the rest. A full walk
// begins with the spaces that none has read for longest: what is missing is read by any other walk, too.
import { currentOf } from '../mirror/index.ts';
import { lastInFull } from './full-order.ts';
import type { Walk } from './types.ts';

/** Visits of a later stage wait until the earlier ones are empty. */
export const STAGES = {
  /** Listings, trees, texts, bytes. */
  read: 0,
  /** Direct reads of what listings lack. */
  absent: 1,
  /** Comparing revisions and counts once more, and what needs every route to be walked. */
  settle: 2,
  /** Conclusions from everything that was read: the order of spaces, pages that are computed from a specification that moved. */
  order: 3,
  /** The order of spaces once more, after collections whose order did not agree were listed again. */
  orderAgain: 4,
  /** What is compared with, or read beside, resources of which all must be known: trees of settled change requests, late documents, PDFs. */
  beside: 5,
} as const;

const ABOVE_SPACES = 0;
// Each space has two places: all that is of it, and what is read of it one after the other, once nothing of it is under way.
const EACH_SPACE = 2;
const AFTER_FIRST = 2 ** 33;
const EACH_SNAPSHOT = 2 * AFTER_FIRST;

/** Where a visit comes in the order of its stage: one number for each space; what is above all spaces comes first. */
export function placeOf(walk: Walk, path: Readonly<Record<string, unknown>>): number {
  const space = path['spaceId'];
  if (typeof space !== 'string') return ABOVE_SPACES;
  const known = walk.places.get(space);
  if (known !== undefined) return known;
  const rid = currentOf(walk.mirror, 'space', space)?.rid;
  if (rid === undefined) return ABOVE_SPACES;
  const rank = walk.mode === 'full' ? lastInFull(walk, rid) : 0;
  const place = rank * EACH_SNAPSHOT + EACH_SPACE * rid + (walk.unread.spaces.has(space) ? 0 : AFTER_FIRST);
  walk.places.set(space, place);
  return place;
}

/** The place of what is read of a space one after the other: what each of them leads to comes before the next. */
export function placeInTurn(place: number): number {
  return place + 1;
}

/** True for what waits for its turn. */
export function isInTurn(place: number): boolean {
  return place % EACH_SPACE === 1;
}

/** The same for all places of one space. */
export function spaceOfPlace(place: number): number {
  return Math.floor(place / EACH_SPACE);
}
