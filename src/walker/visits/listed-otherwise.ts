// What a listing lacks though it is there when it is asked for. Where that goes on for half a day it is how the platform lists, as one
// that lists collections at the top alone.
import { AppError } from '../../base/index.ts';
import {
  clearShortage,
  noteShortage,
  scopesShort,
  shortageOf,
  type Held,
  type ListingPlace,
  type Mirror,
} from '../../mirror/index.ts';
import type { KindName } from '../../contract/index.ts';
import { recordFailure } from '../failures.ts';
import type { AbsentVisit } from './missing.ts';
import { isBelieved, untilBelieved } from './shortage.ts';
import type { Walk } from '../types.ts';

/** True for what is known to be there without being listed. */
export function isListedOtherwise(walk: Walk, one: Pick<Held, 'rid' | 'kind'>): boolean {
  return isBelieved(walk, { ...notedAt(one), missing: 1 });
}

/** True for what its listing lacked when it was read last: each walk asks for it by itself. */
export function isNotedUnlisted(mirror: Mirror, one: Pick<Held, 'rid' | 'kind'>): boolean {
  return shortageOf(mirror, notedAt(one)) !== undefined;
}

/** Notes what is there and its listing lacks. */
export function noteUnlistedAt(walk: Walk, one: Pick<Held, 'rid' | 'kind'>): void {
  noteShortage(walk, notedAt(one), 1);
}

/** Notes what its listing lacked twice: that is a failure, since the listing may lack more. */
export function noteUnlisted(walk: Walk, { kind, rid, key, scope, listing }: AbsentVisit): void {
  noteUnlistedAt(walk, { kind, rid });
  const what = `${listing} was listed twice without this ${kind}, which is there when it is asked for directly`;
  const hint = `The listing may lack more; the next walk reads it again. ${untilBelieved('lists')}`;
  recordFailure(walk, { kind, resource: key, scope }, new AppError('DM_BAD_RESPONSE', what, { hint }));
}

/** What is listed again is no longer known to be lacking. */
export function forgetListed({ mirror }: Walk, kind: KindName, seen: ReadonlySet<number>): void {
  for (const rid of scopesShort(mirror, unlisted(kind)))
    if (seen.has(rid)) clearShortage(mirror, notedAt({ kind, rid }));
}

/** Where it is noted: at the thing itself. */
function notedAt({ kind, rid }: Pick<Held, 'rid' | 'kind'>): ListingPlace {
  return { scope: rid, kind: unlisted(kind) };
}

function unlisted(kind: KindName): string {
  return `${kind}, unlisted`;
}
