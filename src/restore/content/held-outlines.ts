// Several imports of one content each lay out all of it, as names and places depend on the whole: what stands in a snapshot is read once for them.
import type { KindName } from '../../contract/index.ts';
import type { Outlined, SnapshotReader } from '../../mirror/index.ts';

/** The same snapshot, of which each outline is read once and held: for as long as one content is sent. */
export function withOutlinesHeld(reader: SnapshotReader): SnapshotReader {
  const held = new Map<string, readonly Outlined[]>();
  const outline = (kind: KindName, within: string): readonly Outlined[] => {
    const name = `${kind} ${within}`;
    const known = held.get(name) ?? [...reader.outline(kind, within)];
    held.set(name, known);
    return known;
  };
  return {
    ...reader,
    *outline(kind, within, options) {
      yield* options === undefined && within !== undefined
        ? outline(kind, within)
        : reader.outline(kind, within, options);
    },
  };
}
