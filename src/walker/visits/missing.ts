// What follows when a listing no longer has something: a direct read where there is one, else a proof or a suspicion.
import { valueAt } from '../../base/index.ts';
import { kindOf, operationOf, ownParameter, pathParameters, type KindName } from '../../contract/index.ts';
import {
  addVisit,
  bodyOf,
  bury,
  heldBelow,
  isBelowShrunk,
  markMissing,
  markUnlisted,
  markUnreachable,
  missingSince,
  type Held,
} from '../../mirror/index.ts';
import { placeOf, STAGES } from '../order.ts';
import { isBelieved } from './shortage.ts';
import { uncount } from './counted.ts';
import { endOfShown } from './shown-spaces.ts';
import type { Walk } from '../types.ts';

export interface Absent {
  readonly kind: KindName;
  readonly scope: number | null;
  readonly path: Readonly<Record<string, string>>;
  /** Fields of the parent that move with the listing, as hashed when it was visited. */
  readonly mark: string | null;
  readonly round?: number;
  /** Numbers of what it showed. */
  readonly seen: ReadonlySet<number>;
  /** Which of those that it lacks this walk has counted before; by default, those that a listing lacks which is read once more. */
  readonly wasCounted?: (one: Held) => boolean;
}

/** Parameters of an `absent` visit: the resource, and the listing that lacks it; with how that is read, where it may be once more. */
export interface AbsentVisit extends Held, Partial<Pick<Absent, 'path' | 'mark' | 'round'>> {
  readonly scope: number | null;
  readonly listing: string;
  readonly listed: number;
  /** This walk has seen it before, and counted it. */
  readonly counted?: true;
  /** Its listing is empty for the first time: only that it is there, elsewhere, is believed. */
  readonly isSuspected?: true;
}

/** What a complete listing no longer has is asked for directly; where the API has no such read, see `proofOf`. */
export function absentAfter(walk: Walk, absent: Absent): void {
  const { kind, scope, seen, path, mark, round = 0 } = absent;
  const listed = seen.size;
  const missing = heldBelow(walk.mirror, { scope, kind, except: seen });
  const listing = `${kind} below ${Object.values(path).join('/') || 'the platform'}`;
  const proof = hasDirectRead(kind) ? null : proofOf(walk, absent);
  const isDoubtful = listed === 0 && isDoubtfulEmpty(kind, missing.length);
  const { wasCounted = (one) => round > 0 && missingSince(walk.mirror, one.rid) === undefined } = absent;
  for (const one of missing) {
    const counted = wasCounted(one);
    const isSuspected = isDoubtful && !isMissingAgain(walk, one);
    if (isSuspected && !mayBeTransferred(one)) markUnlisted(walk, one);
    else if (proof === null) {
      markMissing(walk, one.rid);
      const told = { listing, listed, ...(counted ? { counted } : {}), ...(isSuspected ? { isSuspected } : {}) };
      const visit: AbsentVisit = { ...one, ...told, scope, path, mark, round };
      addVisit(walk, { task: 'absent', stage: STAGES.absent, params: { ...visit }, place: placeOf(walk, one.params) });
    } else if (isBelowShrunk(walk.mirror, one.rid, kind)) {
      // The caller sees less than before: what is not shown may well be there.
      markUnreachable(walk, one, null);
    } else {
      const isProven = proof.holds || (!proof.isDenied && isMissingAgain(walk, one));
      const evidence = isProven ? { listing, listed, direct: null, ...proof.counted } : endOfShown(walk, one);
      // A suspicion, which the next walk confirms or drops; until then the snapshot is not complete.
      if (evidence === undefined) markUnlisted(walk, one);
      else {
        if (counted) uncount(walk, one);
        bury(walk, one, evidence);
      }
    }
  }
}

/**
 * True for organizations, and what one consists of, where a listing that used to be full is empty. A token that lost its place is shown
 * the same, and a direct read tells it of nothing: only another night confirms it.
 */
function isDoubtfulEmpty(kind: KindName, missing: number): boolean {
  return kind === 'organization' || (kindOf(kind).parent === 'organization' && missing > 1);
}

/** True for what a direct read tells of wherever it stands: all that an organization held may have been transferred to another. */
function mayBeTransferred({ kind }: Held): boolean {
  return kind === 'collection';
}

/** True when one resource of the kind can be read by its own id. */
function hasDirectRead(kind: KindName): boolean {
  const { get, id } = kindOf(kind);
  return get !== undefined && id !== null && pathParameters(operationOf(get).path).includes(ownParameter(kind));
}

interface Proof {
  readonly holds: boolean;
  /** The parent counts more than the listing shows. */
  readonly isDenied?: boolean;
  readonly counted?: { readonly counted: number };
}

/**
 * Without a direct read, a listing that came in pages proves an absence only when the parent's own count says that it was
 * whole. An answer in one piece (parts, single reads) proves it unless it is empty.
 */
function proofOf(walk: Walk, { kind, scope, seen: { size: listed } }: Absent): Proof {
  const { read, countedBy, derived, id } = kindOf(kind);
  // The one child of a parent is absent only when its own read says "not found".
  const isOnlyChild = read.from === 'single' && id === null;
  if (derived || isOnlyChild) return { holds: true };
  if (read.from !== 'list') return { holds: listed > 0 };
  const parent = scope === null || countedBy === undefined ? undefined : bodyOf(walk.mirror, scope);
  const counted = parent && countedBy !== undefined ? valueAt(parent, countedBy) : undefined;
  if (typeof counted !== 'number' || scope === null) return { holds: false };
  const missing = counted - listed;
  const isDenied = missing > 0 && !isBelieved(walk, { scope, kind, missing });
  return { holds: missing === 0, isDenied, counted: { counted } };
}

function isMissingAgain(walk: Walk, { rid }: Held): boolean {
  const since = missingSince(walk.mirror, rid);
  return since !== undefined && since < walk.id;
}
