// Which snapshots to keep, and why: a pure function of the list and the policy.
import { count, isoTime } from '../../base/index.ts';
import { doubtfulLeaps, readings } from './dates.ts';
import {
  droppedReason,
  floorReasons,
  isCounting,
  isOfAll,
  keptReasons,
  LEAPING,
  LIMITED,
  type Grounds,
  type Span,
  type Stand,
} from './retention-reasons.ts';
import type { SnapshotState } from '../database/tables.ts';

/** How many of each to keep; 0 for none. A snapshot can count for several. */
export interface RetentionPolicy {
  readonly last: number;
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
  readonly yearly: number;
}

export interface RetentionCandidate {
  readonly id: number;
  readonly state: SnapshotState;
  /** ISO 8601, UTC. */
  readonly started_at: string;
  /** What its walk was limited to; null for one of everything. */
  readonly scope?: string | null;
  /** Why a person pinned it; null when nobody did. */
  readonly pinned: string | null;
  /** The last to hold a space that was deleted since and can still be undeleted, or the first without it. */
  readonly telling?: boolean;
  /** What it lacks, or shows, a person accepted. */
  readonly accepted?: boolean;
}

export interface RetentionVerdict {
  readonly id: number;
  readonly keep: boolean;
  /** Why it is kept, or why not. Never empty. */
  readonly reasons: readonly string[];
}

const BUCKETS = [
  { name: 'daily', span: 'day', of: (at: string) => at.slice(0, 10) },
  { name: 'weekly', span: 'week', of: isoWeek },
  { name: 'monthly', span: 'month', of: (at: string) => at.slice(0, 7) },
  { name: 'yearly', span: 'year', of: (at: string) => at.slice(0, 4) },
] as const;

/**
 * Decides for every snapshot, oldest first. Only complete snapshots of everything fill the policy's places, or, while there are none,
 * those of limited walks; of a day, week, month or year
 * the newest counts, and the oldest complete snapshot is kept while places remain. A day, week, month or year without a complete one
 * is not forgotten for that: its newest stays for as long as a complete one would, and takes no place from any. Whatever the policy: the newest sealed and
 * the newest complete snapshot, the pinned ones, those that tell of a space that can still be undeleted, an open one, what is
 * newer than the newest complete one (of everything, where it is of everything itself), and what was given up since the newest sealed
 * one stay. After a leap of the dates, what filled the places until then stays for thirty walks more: a clock that ran ahead would take
 * places for good.
 */
export function retain(snapshots: readonly RetentionCandidate[], policy: RetentionPolicy): RetentionVerdict[] {
  const oldestFirst = snapshots.toSorted((a, b) => a.id - b.id);
  const counting = countingOf(oldestFirst);
  const complete = counting.toReversed();
  const grounds = new Map(
    oldestFirst.map((one): [number, Grounds] => [
      one.id,
      { said: new Set(floorReasons(one, oldestFirst, counting)), unfilled: new Set() },
    ]),
  );
  for (const one of complete.slice(0, policy.last)) {
    if (policy.last > 1) grounds.get(one.id)?.said.add(`it is one of the newest ${policy.last} complete ones`);
  }
  // A date that a wrong clock gave fills a place of its own, and takes none from those that are dated rightly.
  const leaps = BUCKETS.some(({ name }) => policy[name] > 0) ? doubtfulLeaps(counting) : [];
  for (const { id } of leaps) grounds.get(id)?.said.add(LEAPING);
  const filled = readings(counting, leaps).flatMap((dated) =>
    BUCKETS.map(({ name, span, of }) =>
      fillBucket({ complete: dated.toReversed(), places: policy[name], span, of, grounds }),
    ),
  );
  const standing = oldestFirst.filter((one) => isIncomplete(one) || counting.includes(one));
  for (const dated of readings(standing, leaps)) {
    for (const { name, span, of } of BUCKETS) {
      standIn({ complete, newestFirst: dated.toReversed(), places: policy[name], span, of, grounds });
    }
  }
  return oldestFirst.map((one) => {
    const reasons = keptReasons(grounds.get(one.id) ?? { said: new Set(), unfilled: new Set() });
    if (reasons.length > 0) return { id: one.id, keep: true, reasons };
    if (isCounting(one) && !counting.includes(one)) return { id: one.id, keep: false, reasons: [LIMITED] };
    const stand = filled.map((standsFor) => standsFor(one)).find((found) => found !== null) ?? null;
    return { id: one.id, keep: false, reasons: [droppedReason(one, stand, policy)] };
  });
}

/** Complete ones of everything; where there is none, of what walks were limited to. */
function countingOf(snapshots: readonly RetentionCandidate[]): RetentionCandidate[] {
  const complete = snapshots.filter(isCounting);
  const whole = complete.filter(isOfAll);
  return whole.length > 0 ? whole : complete;
}

interface Bucket {
  readonly complete: readonly RetentionCandidate[];
  readonly places: number;
  readonly span: Span;
  readonly of: (at: string) => string;
  readonly grounds: ReadonlyMap<number, Grounds>;
}

/** Tells afterwards which one stands for the span that another one is of. */
function fillBucket({ complete, places, span, of, grounds }: Bucket): (one: RetentionCandidate) => Stand | null {
  const filled = new Map<string, number>();
  for (const one of complete) {
    const place = of(one.started_at);
    if (filled.has(place) || filled.size >= places) continue;
    filled.set(place, one.id);
    grounds.get(one.id)?.said.add(`it is the last complete one of the ${span} ${place}`);
  }
  // While places remain, history reaches back to its very beginning.
  const oldest = complete.at(-1);
  if (oldest && filled.size < places) grounds.get(oldest.id)?.unfilled.add(count(places, span));
  return ({ started_at: at }) => {
    const id = filled.get(of(at));
    return id === undefined ? null : { span, id };
  };
}

/** What was read of everything, though not all of it was. */
function isIncomplete(one: RetentionCandidate): boolean {
  return (one.state === 'partial' || one.state === 'suspect') && !isCounting(one) && isOfAll(one);
}

interface Standing extends Bucket {
  /** Complete ones, and those that may stand where none is. */
  readonly newestFirst: readonly RetentionCandidate[];
}

/** Months in which one thing could never be read would else be gone in the night in which it can. */
function standIn({ complete, newestFirst, places, span, of, grounds }: Standing): void {
  const spans = new Set(newestFirst.map(({ started_at: at }) => of(at)));
  const lacking = new Set([...spans].slice(0, places));
  for (const { started_at: at } of complete) lacking.delete(of(at));
  for (const { id, started_at: at } of newestFirst.filter(isIncomplete)) {
    if (lacking.delete(of(at)))
      grounds.get(id)?.said.add(`it is the last one of the ${span} ${of(at)}, which has no complete one`);
  }
}

/** ISO 8601 week of a UTC date: `2025-W09`. */
function isoWeek(at: string): string {
  const day = Math.floor(Date.parse(at) / 86_400_000);
  // Day 0 was a Thursday; a week belongs to the year of its Thursday.
  const thursday = day - ((((day + 3) % 7) + 7) % 7) + 3;
  const year = Number(isoTime(thursday * 86_400_000).slice(0, 4));
  const firstDay = Math.floor(Date.parse(`${year}-01-01T00:00:00Z`) / 86_400_000);
  const week = Math.floor((thursday - firstDay) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}
