// Numbers tell in which order snapshots were made, their dates only what the clock said: it may have been wrong for a night.

interface Dated {
  /** ISO 8601, UTC. */
  readonly started_at: string;
}

/** The most of them whose dates go with their order, oldest first: what a wrong clock dated is left out. */
export function datedInOrder<T extends Dated>(oldestFirst: readonly T[]): T[] {
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
