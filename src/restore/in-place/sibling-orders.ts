// Which pages stand in another order among the siblings that are there on both sides.
import type { Resource, SnapshotReader } from '../../mirror/index.ts';

/** Reads each space once, when it is first asked about. */
export class SiblingOrders {
  readonly #wanted: SnapshotReader;
  readonly #live: SnapshotReader;
  readonly #moved = new Map<string, ReadonlySet<string>>();

  constructor(wanted: SnapshotReader, live: SnapshotReader) {
    this.#wanted = wanted;
    this.#live = live;
  }

  /** True when the page must move for its siblings to stand as they stood. */
  moved({ params, id }: Resource): boolean {
    const space = params['spaceId'] ?? '';
    const known = this.#moved.get(space) ?? this.#movedIn(space);
    this.#moved.set(space, known);
    return known.has(id);
  }

  #movedIn(space: string): ReadonlySet<string> {
    const [was, is] = [childrenOf(this.#wanted, space), childrenOf(this.#live, space)];
    const moved = new Set<string>();
    for (const [parent, before] of was) {
      for (const id of misplaced(before, is.get(parent) ?? [])) moved.add(id);
    }
    return moved;
  }
}

/**
 * The fewest of them that must move for what stands on both sides to be in its old order: who puts the last of thousands first has
 * moved one.
 */
export function misplaced(was: readonly string[], is: readonly string[]): string[] {
  const stood = new Map(was.map((id, at) => [id, at]));
  const now = is.filter((id) => stood.has(id));
  const staying = new Set(longestRising(now.map((id) => stood.get(id) ?? 0)).map((at) => now[at]));
  return now.filter((id) => !staying.has(id));
}

/** Places of the longest rising row among different numbers. */
function longestRising(numbers: readonly number[]): number[] {
  /** By length: where the row of that length ends that ends lowest. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [at, number] of numbers.entries()) {
    const length = lengthBelow(ends, (end) => (numbers[end] ?? 0) < number);
    before.push(ends[length - 1]);
    ends[length] = at;
  }
  const row: number[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) row.push(at);
  return row;
}

/** How many of the first hold, where all that hold come first. */
function lengthBelow(ends: readonly number[], holds: (end: number) => boolean): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(ends[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ids of pages in their order, by the id of the page above; null is the top. */
export function childrenOf(reader: SnapshotReader, space: string): Map<string | null, string[]> {
  const children = new Map<string | null, { id: string; position: number }[]>();
  for (const { id, parent, position } of reader.resources('page', space)) {
    const siblings = children.get(parent) ?? [];
    children.set(parent, siblings);
    siblings.push({ id, position: position ?? Number.MAX_SAFE_INTEGER });
  }
  const inOrder = [...children].map(([parent, pages]) => {
    const ids = pages.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
    return [parent, ids] as const;
  });
  return new Map(inOrder);
}
