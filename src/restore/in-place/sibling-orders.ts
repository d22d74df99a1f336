// Which pages stand in another order among the siblings that are there on both sides.
import type { Resource, SnapshotReader } from '../../mirror/index.ts';

interface Sides {
  readonly wanted: SnapshotReader;
  readonly live: SnapshotReader;
  /** False for what nobody may move: where one of two can, it is the other. */
  readonly mayMove: (page: Resource) => boolean;
}

/** Reads each space once, when it is first asked about. */
export class SiblingOrders {
  readonly #sides: Sides;
  readonly #moved = new Map<string, ReadonlySet<string>>();

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  /** True when the page must move for its siblings to stand as they stood. */
  moved({ params, id }: Resource): boolean {
    return this.movedIn(params['spaceId'] ?? '').has(id);
  }

  /** Ids of the pages of a space that must move for their siblings to stand as they stood. */
  movedIn(space: string): ReadonlySet<string> {
    const known = this.#moved.get(space) ?? this.#find(space);
    this.#moved.set(space, known);
    return known;
  }

  #find(space: string): ReadonlySet<string> {
    const { wanted, live, mayMove } = this.#sides;
    const stays = (id: string): boolean => {
      const page = wanted.one('page', `${space}/${id}`);
      return page !== undefined && !mayMove(page);
    };
    const [was, is] = [childrenOf(wanted, space), childrenOf(live, space)];
    const moved = new Set<string>();
    for (const [parent, before] of was) {
      for (const id of misplaced(before, is.get(parent) ?? [], stays)) moved.add(id);
    }
    return moved;
  }
}

/**
 * The fewest of them that must move for what stands on both sides to be in its old order: who puts the last of thousands first has
 * moved one. The way back moves the same ones, so that an undo finds what the restore has touched.
 * @param stays Those that are left where they stand, if others can move instead.
 */
export function misplaced(
  was: readonly string[],
  is: readonly string[],
  stays: (id: string) => boolean = () => false,
): string[] {
  const stood = new Map(was.map((id, at) => [id, at]));
  const now = is.filter((id) => stood.has(id));
  const places = now.map((id) => stood.get(id) ?? 0);
  const before = risingTo(places);
  const after = risingTo(places.map((place) => -place).toReversed()).toReversed();
  const longest = before.reduce((most, one) => Math.max(most, one), 0);
  /** Those on a longest row, by their place in it. */
  const rows: number[][] = [];
  for (const [at, length] of before.entries())
    if (length + (after[at] ?? 0) - 1 === longest) (rows[length - 1] ??= []).push(at);
  const staying = new Set<string>();
  let [last, lowest] = [-1, -1];
  for (const row of rows) {
    const next = row.filter((at) => at > last && (places[at] ?? 0) > lowest);
    const fixed = next.length > 1 ? next.filter((at) => stays(now[at] ?? '')) : [];
    const [first = -1, ...others] = fixed.length > 0 ? fixed : next;
    const chosen = others.reduce((one, other) => ((now[other] ?? '') < (now[one] ?? '') ? other : one), first);
    staying.add(now[chosen] ?? '');
    [last, lowest] = [chosen, places[chosen] ?? 0];
  }
  return now.filter((id) => !staying.has(id));
}

/** For each number, how long the longest rising row is that ends with it. */
function risingTo(numbers: readonly number[]): number[] {
  /** By length: the lowest number that a row of it ends with. */
  const ends: number[] = [];
  return numbers.map((number) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    ends[low] = number;
    return low + 1;
  });
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
