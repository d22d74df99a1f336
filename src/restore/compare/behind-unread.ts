// Pages that stand behind others which could never be read: their places count those, and they do not come back.
import { groupBy } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { keyAbove } from '../resource.ts';

interface Tree {
  readonly of: string;
  /** Keys of its pages that stand so. */
  readonly keys: ReadonlySet<string>;
}

/** Reads each tree once, when it is first asked about; pages come tree by tree. */
export class BehindUnread {
  readonly #original: SnapshotReader;
  #last: Tree | null = null;

  constructor(original: SnapshotReader) {
    this.#original = original;
  }

  has({ kind, key, position }: Resource): boolean {
    return position !== null && this.#treeOf(kind, keyAbove(key)).keys.has(key);
  }

  #treeOf(kind: KindName, tree: string): Tree {
    const of = `${kind} ${tree}`;
    if (this.#last?.of !== of) this.#last = { of, keys: new Set(behindUnread(this.#original, kind, tree)) };
    return this.#last;
  }
}

function behindUnread(original: SnapshotReader, kind: KindName, tree: string): string[] {
  const unread = new Set(original.unread(kind, tree));
  if (unread.size === 0) return [];
  const held = [...original.outline(kind, tree)].filter(({ holds }) => holds);
  for (const { key } of held) unread.delete(key);
  if (unread.size === 0) return [];
  const rows = [...groupBy(held, ({ parent }) => parent).values()];
  return rows.flatMap((row) => {
    const places = row.map(({ position }) => position ?? 0).toSorted((a, b) => a - b);
    const before = new Map<number, number>();
    for (const [index, place] of places.entries()) if (!before.has(place)) before.set(place, index);
    return row
      .filter(({ position }) => position !== null && (before.get(position) ?? 0) < position)
      .map(({ key }) => key);
  });
}
