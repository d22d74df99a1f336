// A listing whose filter hides the rest is asked for once by each value of it: those that the API documents, and those that the platform
// has shown besides, which no documented one would ever list.
import { ApiError } from '../../client/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import { textsBelow, type Mirror } from '../../mirror/index.ts';
import type { Body } from './parts.ts';

/** Once through a listing; null for all of it. */
export interface Pass {
  readonly filter: Readonly<Record<string, string>>;
  /** The API document does not name it: a platform that does not take it shows nothing by it. */
  readonly isUndocumented: boolean;
}

interface Listing {
  readonly kind: KindName;
  /** Number of the resource below which it stands. */
  readonly scope: number | null;
}

export function passesOf(mirror: Mirror, { kind, scope }: Listing): Pass[] {
  const { read } = kindOf(kind);
  const each = read.from === 'list' ? read.each : undefined;
  if (each === undefined) return [{ filter: {}, isUndocumented: false }];
  const held = scope === null ? [] : textsBelow(mirror, { scope, kind, field: each.parameter });
  const others = held.filter((value) => !each.values.includes(value));
  return [...each.values, ...others].map((value, index) => ({
    filter: { [each.parameter]: value },
    isUndocumented: index >= each.values.length,
  }));
}

/** True for what no documented filter shows: it is rightly lacking from a listing that was asked for by those. */
export function isFilteredOut(kind: KindName, body: Body): boolean {
  const { read } = kindOf(kind);
  const value = read.from === 'list' && read.each !== undefined ? body[read.each.parameter] : undefined;
  return typeof value === 'string' && read.from === 'list' && read.each?.values.includes(value) === false;
}

/** True for an answer that takes a filter for none that there is. */
export function refusesFilter(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 422);
}
