// Several imports of one content each lay out all of it, as names and places depend on the whole: what stands in a snapshot is read once for them.
import { lazyBy } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';

/** The same snapshot, of which each outline is read once and held: for as long as one content is sent. */
export function withOutlinesHeld(reader: SnapshotReader): SnapshotReader {
  const held = lazyBy((kind: KindName) => lazyBy((within: string) => [...reader.outline(kind, within)]));
  return {
    ...reader,
    *outline(kind, within, options) {
      yield* options === undefined && within !== undefined ? held(kind)(within) : reader.outline(kind, within, options);
    },
  };
}
