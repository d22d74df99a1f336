// A reader whose texts name the files of their own space by id, however the platform writes that.
import type { KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { FileAddresses } from './file-addresses.ts';
import { readerAt, type SnapshotReader } from './reader.ts';

const FILES_OF: Partial<Record<KindName, KindName>> = { page: 'file', 'change-request-page': 'change-request-file' };

/** Most texts are asked for container by container. */
const MOST_HELD = 32;

/** The same as `readerAt`, for whoever follows links. A file whose bytes the snapshot does not hold stays named as it is: nothing else leads to it. */
export function readerByIds(mirror: Mirror, snapshot: number): SnapshotReader {
  return filesById(readerAt(mirror, snapshot));
}

/** The same for a text that the platform shows by now, of a page of a space. */
export function namingFiles(reader: Pick<SnapshotReader, 'outline'>, space: string): (text: string) => string {
  let addresses: FileAddresses | null = null;
  return (text) => {
    if (!text.includes('://')) return text;
    addresses ??= new FileAddresses(filesOf(reader, 'file', space));
    return addresses.byId(text);
  };
}

function filesById(reader: SnapshotReader): SnapshotReader {
  const held = new Map<string, FileAddresses>();
  const addressesIn = (kind: KindName, within: string): FileAddresses => {
    const name = `${kind} ${within}`;
    const known = held.get(name) ?? new FileAddresses(filesOf(reader, kind, within));
    held.delete(name);
    for (const oldest of held.keys()) if (held.size >= MOST_HELD) held.delete(oldest);
    held.set(name, known);
    return known;
  };
  const named = <T extends Named>(one: T): T => {
    const files = filesKindOf(one.kind);
    if (files === undefined || typeof one.text !== 'string' || !one.text.includes('://')) return one;
    const text = addressesIn(files, containerOf(one.key)).byId(one.text);
    return text === one.text ? one : { ...one, text };
  };
  return {
    ...reader,
    *resources(kind, within) {
      for (const one of reader.resources(kind, within)) yield named(one);
    },
    *naming(id, kind, within) {
      for (const one of reader.naming(id, kind, within)) yield named(one);
    },
    *outline(kind, within, options) {
      for (const one of reader.outline(kind, within, options)) yield named(one);
    },
    one: (kind, key) => {
      const one = reader.one(kind, key);
      return one && named(one);
    },
  };
}

interface Named {
  readonly kind: KindName;
  readonly key: string;
  readonly text?: string | null;
}

/** The kind of the files that texts of this kind show. */
export function filesKindOf(kind: KindName): KindName | undefined {
  return FILES_OF[kind];
}

/** The key of what a page stands in. */
export function containerOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/'));
}

function* filesOf(
  reader: Pick<SnapshotReader, 'outline'>,
  kind: KindName,
  within: string,
): ReturnType<SnapshotReader['outline']> {
  for (const file of reader.outline(kind, within)) if (file.holds && file.object !== null) yield file;
}
