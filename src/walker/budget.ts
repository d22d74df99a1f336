// How much one run of a walk may use. When it is used up, what was begun is settled, what was not visited is recorded as such,
// and the snapshot is sealed as partial; the next walk begins with the rest.
import { AppError, formatDuration } from '../base/index.ts';
import { spaceOf } from '../contract/index.ts';
import {
  clearReadMarks,
  finishVisit,
  waitingVisits,
  type Failure,
  type Mirror,
  type ListingPlace,
  type Visit,
} from '../mirror/index.ts';
import { recordFailure, type Asked } from './failures.ts';
import { takeBackInFull } from './full-order.ts';
import { STAGES } from './order.ts';
import type { Walk, WalkOptions } from './types.ts';
import { askedBy, isConclusion, scopeOfVisit } from './make-visit.ts';

export interface Budget {
  /** Why nothing new is begun any more, in words; null while there is time. */
  late(): string | null;
  /** Why so many requests are not made any more, in words; null while there is room for them. */
  spent(requests: number): string | null;
}

/** A budget that counts from now on. */
export function createBudget({ client, clock, settings }: WalkOptions): Budget {
  const { maxRequests = null, maxDurationMs = null } = settings;
  const before = client.meter.requests;
  const started = clock.monotonic();
  return {
    late: () => {
      if (maxDurationMs === null || clock.monotonic() - started < maxDurationMs) return null;
      return `walk.maxDuration (${formatDuration(maxDurationMs)}) is used up`;
    },
    spent: (requests) => {
      if (maxRequests === null || client.meter.requests - before + requests <= maxRequests) return null;
      return `walk.maxRequests (${maxRequests}) is used up`;
    },
  };
}

/** Visits of one scope and kind that were not made; they are one failure, however many they are. */
interface Unvisited {
  readonly asked: Asked;
  readonly scope: number | null;
  visits: number;
}

/** Takes what was not visited off the frontier; a failure for each scope and kind. */
export function dropUnvisited(walk: Walk, why: string): void {
  const waiting = [...waitingVisits(walk.mirror)];
  const unread = waiting.filter((visit) => visit.stage === STAGES.read && !isConclusion(visit));
  const dropped = unread.length === 0 ? [] : [...unread, ...waiting.filter(isConclusion)];
  walk.mirror.store.transaction(() => {
    for (const { asked, scope, visits } of unvisited(unread))
      recordFailure(walk, { ...asked, scope }, notVisited(visits, why));
    // One failure stands for listings below several resources, and some of these are read although their marks stand still.
    for (const { scope, kind } of placesOf(unread)) clearReadMarks(walk.mirror, scope, kind);
    takeBackInFull(walk, spacesLeft(unread));
    for (const { seq } of dropped) finishVisit(walk.mirror, seq);
  });
}

type Staged = Visit & { readonly stage: number };

/** Visits that a walk which is given up leaves: what they would have read, or proved of what was read. */
export function leftUnvisited(visits: readonly Staged[]): Unvisited[] {
  return unvisited(visits.filter((visit) => visit.stage <= STAGES.settle && !isConclusion(visit)));
}

/** Spaces in which visits were not made, in their order; one may be named more than once. */
export function spacesLeft(visits: readonly Staged[]): string[] {
  const asked = visits.filter(({ stage }) => stage === STAGES.read).map(askedBy);
  return asked.flatMap(({ kind, resource }) => spaceOf(kind, resource) ?? []);
}

/** Listings that the open walk has not read, or not all that they led to. */
export function placesLeft(mirror: Mirror): ListingPlace[] {
  return placesOf(waitingVisits(mirror));
}

/** Each once: the visits of a tree are thousands, all below one. */
function placesOf(visits: Iterable<Visit>): ListingPlace[] {
  const places = new Map<string, ListingPlace>();
  for (const visit of visits) {
    const scope = scopeOfVisit(visit);
    const { kind } = askedBy(visit);
    if (scope !== null) places.set(`${scope} ${kind}`, { scope, kind });
  }
  return [...places.values()];
}

function unvisited(visits: readonly Visit[]): Unvisited[] {
  const groups = new Map<string, Unvisited>();
  for (const visit of visits) {
    const asked = groupOf(askedBy(visit));
    const key = `${asked.kind} ${asked.resource}`;
    const group = groups.get(key) ?? { asked, scope: scopeOfVisit(visit), visits: 0 };
    group.visits += 1;
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Entries of one tree are one failure, `space/*`. */
function groupOf(asked: Asked): Asked {
  const end = asked.resource.lastIndexOf('/');
  return end < 0 ? asked : { ...asked, resource: `${asked.resource.slice(0, end)}/*` };
}

const NOT_MADE = /^(\d+) visits? (?:was|were) not made: /;

/** Entries of one tree that a walk has left to the next one. What else it left has no mark, or is held. */
export interface EntriesLeft {
  readonly kind: string;
  /** Key of the tree: that of its space, or of its change request. */
  readonly tree: string;
  readonly visits: number;
}

/** The trees of whose entries a walk has left some. */
export function entriesLeft(failures: readonly Pick<Failure, 'kind' | 'resource' | 'error'>[]): EntriesLeft[] {
  return failures.flatMap(({ kind, resource, error }) => {
    const visits = resource.endsWith('/*') ? Number(NOT_MADE.exec(error)?.[1] ?? 0) : 0;
    return visits > 0 ? { kind, tree: resource.slice(0, -2), visits } : [];
  });
}

/** What is said of visits that were not made. */
export function notVisited(visits: number, why: string): AppError {
  const what = `${visits} ${visits === 1 ? 'visit was' : 'visits were'} not made: ${why}`;
  return new AppError('DM_INCOMPLETE', what, { hint: 'The next walk begins with what is missing.' });
}
