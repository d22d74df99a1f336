// Listings against what their parents count, and they themselves: an answer that leaves out what nobody has seen yet shows itself in
// no other way.
import { isoTime, valueAt } from '../../base/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import { addVisit, bodyOf, clearShortage, explainShortage, shortageOf, type ListingPlace } from '../../mirror/index.ts';
import type { ListingVisit, Shown } from './listing.ts';
import { placeOf, STAGES } from '../order.ts';
import type { Body } from './parts.ts';
import type { Walk } from '../types.ts';

// A platform whose lists lag behind its counters may say the same twice; the next night it would not.
const BELIEVED_AFTER_MS = 12 * 3_600_000;

/** Field by which the parent counts at least some of what the listing shows. */
function counterOf(kind: KindName): string | undefined {
  const { read, countedBy, countedAtLeastBy } = kindOf(kind);
  return read.from === 'list' ? (countedBy ?? countedAtLeastBy) : undefined;
}

/** True for what is listed and counted by nothing above it. What the platform derives is made anew, and none of it is lost. */
export function isUncounted(kind: KindName): boolean {
  const { read, derived } = kindOf(kind);
  return read.from === 'list' && derived !== true && counterOf(kind) === undefined;
}

/** How many a parent counts; undefined where it counts none of the kind. */
export function countedIn(kind: KindName, parent: Body | undefined): number | undefined {
  const field = counterOf(kind);
  const counted = parent === undefined || field === undefined ? undefined : valueAt(parent, field);
  return typeof counted === 'number' ? counted : undefined;
}

/** How many fewer are listed than a parent counts; 0 or less where there are enough, or nothing is counted. */
export function shortageIn(kind: KindName, parent: Body | undefined, listed: number): number {
  return (countedIn(kind, parent) ?? listed) - listed;
}

/** How many fewer are listed than a parent counts, or the one that there is at least. */
export function lackingIn(kind: KindName, parent: Body | undefined, listed: number): number {
  return listed === 0 && isNeverNone(kind, parent) ? 1 : shortageIn(kind, parent, listed);
}

/** True where nothing counts what is listed, and a listing without any cannot be whole. */
function isNeverNone(kind: KindName, parent: Body | undefined): boolean {
  const { neverNone } = kindOf(kind);
  if (typeof neverNone === 'object') return typeof parent?.[neverNone.where] === 'string';
  return neverNone === true;
}

/**
 * Adds a visit that asks both again where a listing shows fewer than its parent counted when it was read, or than it counts itself, or
 * something twice: it may have moved on between its pages, and what moved to an earlier one is lacking then. Call inside a transaction.
 */
export function doubtShort(walk: Walk, visit: ListingVisit, { listed, repeated, short }: Shown): void {
  const { scope, kind, path, mark } = visit;
  if (scope === null || visit.recounted === true) return;
  const isTold = counterOf(kind) !== undefined || kindOf(kind).neverNone !== undefined;
  const parent = isTold ? bodyOf(walk.mirror, scope) : undefined;
  const lacking = lackingIn(kind, parent, listed);
  if (unbelieved(walk, { scope, kind }, { repeated, lacking, short }).length === 0) return;
  const recount: ListingVisit = { kind, scope, path, mark, recounted: true };
  addVisit(walk, { task: 'recount', stage: STAGES.settle, params: { ...recount }, place: placeOf(walk, path) });
}

/** How a listing does not agree with itself or its parent. */
export interface Lack extends Pick<Shown, 'repeated' | 'short'> {
  readonly lacking: number;
}

/** A kind of lack that is not believed, where it is noted, and how much it is. */
export interface Unbelieved {
  readonly place: ListingPlace;
  readonly missing: number;
}

/** What of it is not known for how the platform lists. What repeats says nothing about what is lacking, and is kept apart. Call inside a transaction. */
export function unbelieved(walk: Walk, listing: ListingPlace, { repeated, lacking, short }: Lack): Unbelieved[] {
  const { scope, kind } = listing;
  const counted: Unbelieved[] = [
    { place: { scope, kind }, missing: lacking },
    { place: shortPlace({ scope, kind }), missing: short },
  ];
  const all = [...counted, { place: { scope, kind: `${kind}, repeated` }, missing: repeated }];
  for (const { place, missing } of all) if (missing <= 0) clearShortage(walk.mirror, place);
  const longAgo = isoTime(walk.clock.now() - BELIEVED_AFTER_MS);
  for (const one of counted) if (one.missing > 0) explainShortage(walk, { ...one, listing, longAgo });
  return all.filter(({ place, missing }) => missing > 0 && !isBelieved(walk, { ...place, missing }));
}

/** What is said to do about a shortage. */
export function untilBelieved(how: 'counts' | 'lists'): string {
  return `A walk half a day from now that finds no more takes it for how the platform ${how} (table shortages).`;
}

/** Where it is noted that a listing counts more than it sends. */
export function shortPlace({ scope, kind }: ListingPlace): ListingPlace {
  return { scope, kind: `${kind}, by its own count` };
}

/** True for what is known of a platform: it has shown so many fewer than it counts for a while, and never more. */
export function isBelieved(
  { mirror, clock }: Pick<Walk, 'mirror' | 'clock'>,
  found: ListingPlace & { readonly missing: number },
): boolean {
  const known = shortageOf(mirror, found);
  if (known === undefined || found.missing > known.missing) return false;
  return clock.now() - Date.parse(known.since) >= BELIEVED_AFTER_MS;
}
