import { groupBy, sha256 } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { insertBlob } from '../store/revisions.ts';
import type { ImportedFile } from './imported-content.ts';
import { pictureSize } from './picture-size.ts';
import type { TreeFile } from './tree.ts';

type Store = Pick<PlatformContext, 'db' | 'random'>;

/**
 * Files of an import beside those that are there: the same name and bytes is the same file, the same name with other bytes gives
 * the file new bytes, everything else is a new file. `ids` maps the keys of the import to the ids of the files.
 */
export function importFiles(
  context: Store,
  present: readonly TreeFile[],
  imported: readonly ImportedFile[],
): { files: TreeFile[]; ids: Map<string, string> } {
  const files = new Map(present.map((file) => [file.id, file]));
  const named = groupBy(present, ({ name }) => name);
  const ids = new Map<string, string>();
  const claimed = new Set<string>();
  const claim = (key: string, id: string): void => {
    ids.set(key, id);
    claimed.add(id);
  };
  const hashes = new Map(imported.map((file) => [file.key, sha256(file.bytes)]));
  for (const file of imported) {
    const same = named.get(file.name)?.find((one) => one.sha256 === hashes.get(file.key));
    if (same) claim(file.key, same.id);
  }
  for (const file of imported) {
    if (ids.has(file.key)) continue;
    const replaced = named.get(file.name)?.find(({ id }) => !claimed.has(id));
    const id = replaced?.id ?? context.random.id();
    claim(file.key, id);
    files.set(id, storeFile(context, id, file));
  }
  return { files: [...files.values()], ids };
}

/** A file of a space; call it inside a transaction: it stores the bytes. */
export function storeFile(
  context: Store,
  id: string,
  file: Pick<ImportedFile, 'name' | 'contentType' | 'bytes'>,
): TreeFile {
  const dimensions = pictureSize(file.bytes);
  return {
    id,
    name: file.name,
    contentType: file.contentType,
    size: file.bytes.byteLength,
    sha256: insertBlob(context, file.bytes),
    ...(dimensions ? { dimensions } : {}),
  };
}
