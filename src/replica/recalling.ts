import type { KindName } from '../contract/index.ts';
import type { Resource, SnapshotReader } from '../mirror/index.ts';

/** The same for one answer: what its parts have in common, such as their space, is read once. */
export function recalling(reader: SnapshotReader, kinds: ReadonlySet<KindName>): SnapshotReader {
  const read = new Map<string, Resource | undefined>();
  return {
    ...reader,
    one: (kind, key) => {
      if (!kinds.has(kind)) return reader.one(kind, key);
      const name = `${kind} ${key}`;
      if (!read.has(name)) read.set(name, reader.one(kind, key));
      return read.get(name);
    },
  };
}
