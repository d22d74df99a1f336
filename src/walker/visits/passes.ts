// A listing whose filter hides the rest is asked for once by each value of it: those that are known, and those that the platform has
// shown besides, which no known one would ever list.
import { ApiError } from '../../client/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import { bodyOf, textsBelow, type Mirror } from '../../mirror/index.ts';
import type { Body } from './parts.ts';
import { countedIn } from './shortage.ts';

/** Once through a listing; without a filter for all of it. */
export interface Pass {
  readonly filter: Readonly<Record<string, string>>;
  /** The platform may have no such value: where it takes it for none, it shows nothing by it. */
  readonly mayBeNone: boolean;
}

interface Listing {
  readonly kind: KindName;
  /** Number of the resource below which it stands. */
  readonly scope: number | null;
}

/**
 * What a listing is asked for by. A value that the API document does not name may be none, where nothing that is held was shown by it
 * and the parent counts what the listing shows: then a lack shows itself (`shortage.ts`).
 */
export function passesOf(mirror: Mirror, { kind, scope }: Listing): Pass[] {
  const { read } = kindOf(kind);
  const each = read.from === 'list' ? read.each : undefined;
  if (each === undefined) return [{ filter: {}, mayBeNone: false }];
  const held = scope === null ? [] : textsBelow(mirror, { scope, kind, field: each.parameter });
  const isCounted = scope !== null && countedIn(kind, bodyOf(mirror, scope)) !== undefined;
  const pass = (value: string, mayBeNone: boolean): Pass => ({ filter: { [each.parameter]: value }, mayBeNone });
  return [
    ...each.values.map((value) => pass(value, isCounted && !each.named.includes(value) && !held.includes(value))),
    ...held.filter((value) => !each.values.includes(value)).map((value) => pass(value, true)),
  ];
}

/** How many passes the contract tells of: one for each known value of the filter, or one. 0 for what no read below its parent shows. */
export function knownPasses(kind: KindName): number {
  const { read } = kindOf(kind);
  if (read.from === 'list') return read.each?.values.length ?? 1;
  return read.from === 'single' ? 1 : 0;
}

/** True for what no known filter shows: it is rightly lacking from a listing that was asked for by those. */
export function isFilteredOut(kind: KindName, body: Body): boolean {
  const { read } = kindOf(kind);
  const value = read.from === 'list' && read.each !== undefined ? body[read.each.parameter] : undefined;
  return typeof value === 'string' && read.from === 'list' && read.each?.values.includes(value) === false;
}

/** True for an answer that takes a filter for none that there is. */
export function refusesFilter(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 422);
}
