import type { SnapshotReader } from '../mirror/index.ts';
import { inOrder, textAt } from './resource.ts';

type Kind = 'collection' | 'space';

export interface Sibling {
  readonly kind: Kind | 'site-section';
  readonly key: string;
}

/** Collections and spaces by what they stand in, in their order: all of a kind is read once, whoever of it is asked for. */
export class SiblingOrder {
  readonly #reader: SnapshotReader;
  readonly #below = new Map<Kind, Map<string | undefined, Sibling[]>>();

  constructor(reader: SnapshotReader) {
    this.#reader = reader;
  }

  /** Those whose place the listing told; `parent` is undefined for what stands in no collection. */
  below(kind: Kind, parent: string | undefined): readonly Sibling[] {
    let below = this.#below.get(kind);
    if (below === undefined) this.#below.set(kind, (below = this.#read(kind)));
    return below.get(parent) ?? [];
  }

  #read(kind: Kind): Map<string | undefined, Sibling[]> {
    const placed = inOrder(this.#reader.resources(kind)).filter(({ position }) => position !== null);
    const below = new Map<string | undefined, Sibling[]>();
    for (const { key, body } of placed) {
      const parent = textAt(body, 'parent');
      const siblings = below.get(parent);
      if (siblings) siblings.push({ kind, key });
      else below.set(parent, [{ kind, key }]);
    }
    return below;
  }
}
