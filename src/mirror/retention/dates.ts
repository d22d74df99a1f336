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
  const newest = oldestFirst.at(-1)?.started_at ?? '';
  return [
    oldestFirst,
    datedInOrder(oldestFirst),
    datedInOrder(oldestFirst.filter(({ started_at }) => started_at <= newest)),
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
  return between(latest, one) > LEAP_MS * (one.id - latest.id);
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

/** Without the nights of a clock that ran far ahead: the dates leapt, and then went on from where they had been. */
function withoutExcursions<T extends Dated>(oldestFirst: readonly T[]): T[] {
  const kept: T[] = [];
  const leaps: { readonly place: number; readonly to: T; readonly from: T }[] = [];
  let latest: T | undefined;
  for (const one of oldestFirst) {
    for (let leap = leaps.at(-1); leap !== undefined && one.started_at < leap.to.started_at; leap = leaps.at(-1)) {
      leaps.pop();
      // One night alone is no more than what has followed it.
      if (latest === undefined || kept.length - leap.place < 2 || !goesOn(one, { ...leap, latest })) continue;
      kept.length = leap.place;
      latest = leap.from;
    }
    if (latest !== undefined && isLeap(one, latest)) leaps.push({ place: kept.length, to: one, from: latest });
    kept.push(one);
    if (latest === undefined || one.started_at > latest.started_at) latest = one;
  }
  return kept;
}

/** An excursion: where the dates leapt from and to, and the latest since. */
interface Excursion {
  readonly from: Dated;
  readonly to: Dated;
  readonly latest: Dated;
}

/** However wrong a clock is, time passes: after ten nights of it a date is ten nights later. Two of an unset clock are not. */
function goesOn(one: Dated, { from, to, latest }: Excursion): boolean {
  return between(from, one) >= between(to, latest);
}

function between(from: Dated, to: Dated): number {
  return Date.parse(to.started_at) - Date.parse(from.started_at);
}

/** The most of them whose dates go with their order, oldest first: what a wrong clock dated is left out. */
export function datedInOrder<T extends Dated>(all: readonly T[]): T[] {
  // They may be more than those that were dated rightly since.
  const oldestFirst = withoutExcursions(all);
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
