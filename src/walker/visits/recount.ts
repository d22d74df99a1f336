// Asking again where a listing showed fewer than its parent counted when it was read.
import { AppError, isRecord } from '../../base/index.ts';
import { kindOf, parentKind, pathFor, type KindName } from '../../contract/index.ts';
import { bodyOf, CONTAINERS, noteShortage } from '../../mirror/index.ts';
import { recordFailure } from '../failures.ts';
import { readListing, takeListing, type ListingRead, type ListingVisit, type Shown } from './listing.ts';
import type { Body } from './parts.ts';
import { noteRightsIn } from './rights-above.ts';
import { lackingIn, unbelieved, untilBelieved } from './shortage.ts';
import type { Walk } from '../types.ts';

/** Parameters of a `recount` visit: a listing that showed fewer than were counted. */
export interface RecountVisit extends ListingVisit {
  readonly scope: number;
}

export interface Recounted {
  /** The parent before the listing was read and after it; none where it cannot be read by itself. */
  readonly parents: readonly Body[];
  readonly listing: ListingRead;
}

/** Reads the parent and the listing once more: what was deleted between the two, or shown late, is no shortage. */
export async function readRecount(walk: Walk, visit: RecountVisit): Promise<Recounted> {
  const before = await readParent(walk, visit);
  const listing = await readListing(walk, visit);
  const after = await readParent(walk, visit);
  return { listing, parents: [before, after].filter(isRecord) };
}

async function readParent(walk: Walk, { kind, path }: RecountVisit): Promise<unknown> {
  const parent = parentKind(kind);
  const get = parent === null ? undefined : kindOf(parent).get;
  return get === undefined ? null : walk.client.callRaw(get, { path: pathFor(get, path) }, { signal: walk.signal });
}

/** Takes in what the listing shows now. Fewer than are counted is a failure, until that is known for how the platform counts. */
export function takeRecount(walk: Walk, visit: RecountVisit, { parents, listing }: Recounted): void {
  const { scope, kind, path } = visit;
  noteLost(walk, visit, parents);
  // As many may be others.
  const { listed, repeated, short } = takeListing(walk, { ...visit, round: 1 }, listing);
  const counting = parents.length > 0 ? parents : [bodyOf(walk.mirror, scope)];
  const lacking = Math.min(...counting.map((parent) => lackingIn(kind, parent, listed)));
  const doubts = unbelieved(walk, { scope, kind }, { lacking, repeated, short });
  for (const { place, missing } of doubts) noteShortage(walk, place, missing);
  if (doubts.length === 0) return;
  const resource = Object.values(path).join('/');
  const other = lacking > 0 ? countedText(kind, listed + lacking) : ofItself({ listed, repeated, short });
  const what = `The listing of each ${kind} below ${resource} shows ${listed}, and ${other}`;
  recordFailure(
    walk,
    { kind, resource, scope },
    new AppError('DM_INCOMPLETE', what, { hint: untilBelieved('counts') }),
  );
}

function countedText(kind: KindName, count: number): string {
  return kindOf(kind).neverNone === undefined ? `${count} are counted` : 'there is at least one';
}

function ofItself({ listed, repeated, short }: Shown): string {
  return repeated > 0 ? `${repeated} of them twice` : `its own count is ${listed + short}`;
}

/** Rights that were lost since the walk came by the parent: what is lacking from the listing may well be there then. */
function noteLost(walk: Walk, { scope, kind }: RecountVisit, parents: readonly Body[]): void {
  const parent = parentKind(kind);
  if (parent === null || !CONTAINERS.has(parent)) return;
  for (const body of parents) noteRightsIn(walk, scope, body);
}
