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
      const now = is.get(parent) ?? [];
      const [old, current] = [before.filter((id) => now.includes(id)), now.filter((id) => before.includes(id))];
      for (const [i, id] of old.entries()) if (current[i] !== id) moved.add(id);
    }
    return moved;
  }
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
