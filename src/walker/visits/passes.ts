// A listing whose filter hides the rest is asked for once by each value of it: those that are known, and those that the platform has
// shown besides, which no known one would ever list.
import { ApiError } from '../../client/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import { textsBelow, type Mirror } from '../../mirror/index.ts';
import type { Body } from './parts.ts';

/** What it means that the platform takes the value for none that there is: a failure; nothing; nothing, where the parent counts no more than is shown. */
type Refused = 'failure' | 'nothing' | 'nothing if all are counted';

/** Once through a listing; without a filter for all of it. */
export interface Pass {
  readonly filter: Readonly<Record<string, string>>;
  readonly refused: Refused;
}

interface Listing {
  readonly kind: KindName;
  /** Number of the resource below which it stands. */
  readonly scope: number | null;
}

export function passesOf(mirror: Mirror, { kind, scope }: Listing): Pass[] {
  const { read } = kindOf(kind);
  const each = read.from === 'list' ? read.each : undefined;
  if (each === undefined) return [{ filter: {}, refused: 'failure' }];
  const held = scope === null ? [] : textsBelow(mirror, { scope, kind, field: each.parameter });
  const others = held.filter((value) => !each.values.includes(value));
  const pass = (value: string, refused: Refused): Pass => ({ filter: { [each.parameter]: value }, refused });
  return [
    // What is held by a known value was shown by it.
    ...each.values.map((value) =>
      pass(value, each.named.includes(value) || held.includes(value) ? 'failure' : 'nothing if all are counted'),
    ),
    ...others.map((value) => pass(value, 'nothing')),
  ];
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
