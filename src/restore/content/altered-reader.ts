import type { Outlined, Resource, SnapshotReader } from '../../mirror/index.ts';

/** A snapshot that shows some things otherwise than it holds them; what becomes undefined is left out. */
export function alteredReader(
  reader: SnapshotReader,
  alter: <T extends Outlined | Resource>(one: T) => T | undefined,
): SnapshotReader {
  return {
    ...reader,
    *resources(kind, within) {
      yield* altered(reader.resources(kind, within), alter);
    },
    *outline(kind, within, options) {
      yield* altered(reader.outline(kind, within, options), alter);
    },
    one: (kind, key) => {
      const found = reader.one(kind, key);
      return found && alter(found);
    },
  };
}

function* altered<T>(all: Iterable<T>, alter: (one: T) => T | undefined): IterableIterator<T> {
  for (const one of all) {
    const shown = alter(one);
    if (shown !== undefined) yield shown;
  }
}
