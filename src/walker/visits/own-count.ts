// Listings that are no visit with a recount, against what they count themselves.
import { AppError } from '../../base/index.ts';
import { clearShortage, noteShortage, type ListingPlace } from '../../mirror/index.ts';
import { recordFailure, type Visited } from '../failures.ts';
import { shortOf, type Listed } from '../read-to-end.ts';
import { isBelieved, shortPlace, untilBelieved } from './shortage.ts';
import type { Walk, WalkOptions } from '../types.ts';

// No resource has this number: what is listed stands below none.
const BELOW_NONE = 0;

type Listing = Pick<Visited, 'kind' | 'scope'>;

/** True where a listing is known to count more than it sends: it is not asked for a second time then. */
export function isCountKnown(options: Pick<WalkOptions, 'mirror' | 'clock'>, listing: Listing): boolean {
  return isBelieved(options, { ...countedAt(listing), missing: 0 });
}

/**
 * Takes note of a listing that was asked for twice where it counts more than it sent: that is a failure, until it is known for how the
 * platform counts. Call inside a transaction.
 */
export function noteOwnCount(walk: Walk, visited: Visited, listed: Listed): void {
  const { kind, resource } = visited;
  const place = countedAt(visited);
  const missing = shortOf(listed);
  if (missing === 0) return clearShortage(walk.mirror, place);
  if (isBelieved(walk, { ...place, missing })) return;
  noteShortage(walk, place, missing);
  const below = resource === '' ? '' : ` below ${resource}`;
  const what = `The listing of each ${kind}${below} shows ${listed.items.length}, and its own count is ${listed.count}`;
  recordFailure(walk, visited, new AppError('DM_INCOMPLETE', what, { hint: untilBelieved('counts') }));
}

function countedAt({ kind, scope }: Listing): ListingPlace {
  return shortPlace({ scope: scope ?? BELOW_NONE, kind });
}
