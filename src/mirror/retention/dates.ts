// Numbers tell in which order snapshots were made, their dates only what the clock said: it may have been wrong for a night.

interface Dated {
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly started_at: string;
}

/**
 * The ways to take the dates, each oldest first: as they stand; without what a wrong clock dated, whether the clock of the newest one
 * is right or not; and as they were before each of the leaps.
 */
export function readings<T extends Dated>(oldestFirst: readonly T[], leaps: readonly Dated[]): (readonly T[])[] {
  return [
    oldestFirst,
    mostInOrder(oldestFirst),
    mostInOrder(datedUntilNow(oldestFirst)),
    ...leaps.map(({ id }) => oldestFirst.filter((one) => one.id < id)),
  ];
}

const DAY_MS = 86_400_000;
// Whoever walks four times a year leaps not.
const LEAP_MS = 100 * DAY_MS;
/** After so many walks it was no clock that ran ahead for some nights. */
const DOUBTED_WALKS = 30;

/** Whether one is dated long after the latest of all before it. What was forgotten in between has left its numbers. */
function isLeap(one: Dated, latest: Dated | undefined): boolean {
  if (latest === undefined) return false;
  return Date.parse(one.started_at) - Date.parse(latest.started_at) > LEAP_MS * (one.id - latest.id);
}

/** Those that are dated so long after all that came before that the clock may have run ahead, as long as few have followed. */
export function doubtfulLeaps<T extends Dated>(oldestFirst: readonly T[]): T[] {
  const newest = oldestFirst.at(-1)?.id ?? 0;
  let latest: T | undefined;
  return oldestFirst.filter((one) => {
    const isDoubtful = isLeap(one, latest) && newest - one.id < DOUBTED_WALKS;
    if (latest === undefined || one.started_at > latest.started_at) latest = one;
    return isDoubtful;
  });
}

/** Oldest first, without what a wrong clock dated: the most of them whose dates go with their order. */
export function datedInOrder<T extends Dated>(oldestFirst: readonly T[]): T[] {
  const until = datedUntilNow(oldestFirst);
  // Those of a clock that ran ahead may be more than those since. A newest one that is dated before most is itself of a wrong clock.
  return mostInOrder(until.length * 2 >= oldestFirst.length ? until : oldestFirst);
}

/** What is dated no later than the newest one. */
function datedUntilNow<T extends Dated>(oldestFirst: readonly T[]): T[] {
  const newest = oldestFirst.at(-1)?.started_at ?? '';
  return oldestFirst.filter(({ started_at }) => started_at <= newest);
}

function mostInOrder<T extends Dated>(oldestFirst: readonly T[]): T[] {
  // Of the ways to choose so many, the one that ends earliest: what comes next fits behind it soonest.
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, one] of oldestFirst.entries()) {
    const place = firstAfter(ends, ({ started_at }) => started_at > one.started_at, oldestFirst);
    before[index] = ends[place - 1];
    ends[place] = index;
  }
  const chosen: T[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) {
    const one = oldestFirst[at];
    if (one !== undefined) chosen.push(one);
  }
  return chosen.toReversed();
}

/** The first place whose entry is after what is looked for; they ascend. */
function firstAfter<T>(ends: readonly number[], isAfter: (one: T) => boolean, all: readonly T[]): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = all[ends[middle] ?? 0];
    if (entry !== undefined && isAfter(entry)) high = middle;
    else low = middle + 1;
  }
  return low;
}
