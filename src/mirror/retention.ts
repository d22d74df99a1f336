// Which snapshots to keep, and why: a pure function of the list and the policy.
import { isoTime } from '../base/index.ts';
import { datedInOrder } from './dates.ts';
import type { SnapshotState } from './tables.ts';

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
  /** Why a person pinned it; null when nobody did. */
  readonly pinned: string | null;
  /** The last to hold a space that was deleted since and can still be undeleted, or the first without it. */
  readonly telling?: boolean;
}

export interface RetentionVerdict {
  readonly id: number;
  readonly keep: boolean;
  /** Why it is kept, or why not. Never empty. */
  readonly reasons: readonly string[];
}

const BUCKETS = [
  { name: 'daily', of: (at: string) => at.slice(0, 10) },
  { name: 'weekly', of: isoWeek },
  { name: 'monthly', of: (at: string) => at.slice(0, 7) },
  { name: 'yearly', of: (at: string) => at.slice(0, 4) },
] as const;

/**
 * Decides for every snapshot, oldest first. Only complete snapshots fill the policy's places; of a day, week, month or year
 * the newest counts, and the oldest complete snapshot is kept while places remain. Whatever the policy: the newest sealed and
 * the newest complete snapshot, the pinned ones, those that tell of a space that can still be undeleted, an open one, what is
 * newer than the newest complete one, and what was given up since the newest sealed one stay.
 */
export function retain(snapshots: readonly RetentionCandidate[], policy: RetentionPolicy): RetentionVerdict[] {
  const oldestFirst = snapshots.toSorted((a, b) => a.id - b.id);
  const complete = oldestFirst.filter((one) => one.state === 'complete').toReversed();
  const reasons = new Map<number, string[]>(oldestFirst.map((one) => [one.id, floorReasons(one, oldestFirst)]));
  complete
    .slice(0, policy.last)
    .forEach((one, index) => reasons.get(one.id)?.push(`last ${index + 1} of ${policy.last}`));
  // A date that a wrong clock gave fills a place of its own, and takes none from those that are dated rightly.
  for (const dated of [complete, datedInOrder(complete.toReversed()).toReversed()])
    for (const { name, of } of BUCKETS) fillBucket({ complete: dated, places: policy[name], name, of, reasons });
  return oldestFirst.map((one) => verdict(one, reasons.get(one.id) ?? []));
}

interface Bucket {
  readonly complete: readonly RetentionCandidate[];
  readonly places: number;
  readonly name: string;
  readonly of: (at: string) => string;
  readonly reasons: ReadonlyMap<number, string[]>;
}

function fillBucket({ complete, places, name, of, reasons }: Bucket): void {
  const filled = new Set<string>();
  for (const one of complete) {
    const place = of(one.started_at);
    if (filled.has(place) || filled.size >= places) continue;
    filled.add(place);
    reasons.get(one.id)?.push(`${name} ${place}`);
  }
  // While places remain, history reaches back to its very beginning.
  const oldest = complete.at(-1);
  if (oldest && filled.size < places) reasons.get(oldest.id)?.push(`oldest, ${name} places remain`);
}

/** What holds whatever the policy says. */
function floorReasons(one: RetentionCandidate, all: readonly RetentionCandidate[]): string[] {
  const newestComplete = all.findLast((other) => other.state === 'complete');
  const newestSealed = all.findLast((other) => other.state !== 'open' && other.state !== 'abandoned');
  return [
    ...(one.state === 'open' ? ['a walk is under way'] : []),
    ...(one.pinned === null ? [] : [`pinned: ${one.pinned}`]),
    ...(one.telling === true ? ['a deleted space can still be undeleted'] : []),
    ...(one.id === newestSealed?.id ? ['newest'] : []),
    ...(one.id === newestComplete?.id ? ['newest complete'] : []),
    ...(one.state !== 'abandoned' && one.id > (newestComplete?.id ?? 0) ? ['no complete one is newer'] : []),
    // What it saw is in no sealed one yet, and its number would be given to the next walk, which would take all that for its own.
    ...(one.state === 'abandoned' && one.id > (newestSealed?.id ?? 0) ? ['no sealed one is newer'] : []),
  ];
}

function verdict(one: RetentionCandidate, reasons: readonly string[]): RetentionVerdict {
  if (reasons.length > 0) return { id: one.id, keep: true, reasons: [...new Set(reasons)] };
  const newer = one.state === 'abandoned' ? 'sealed' : 'complete';
  const why = one.state === 'complete' ? 'no place in the policy' : `${one.state}, and a ${newer} one is newer`;
  return { id: one.id, keep: false, reasons: [why] };
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
