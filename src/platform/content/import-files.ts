import { groupBy } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { keepBlob } from '../store/blobs.ts';
import type { FileContent } from './file-content.ts';
import type { ImportedFile } from './imported-content.ts';
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
  for (const file of imported) {
    const same = named.get(file.name)?.find((one) => one.sha256 === file.sha256);
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
export function storeFile(context: Store, id: string, file: FileContent): TreeFile {
  keepBlob(context, file);
  const { name, contentType, size, sha256, dimensions } = file;
  return { id, name, contentType, size, sha256, ...(dimensions ? { dimensions } : {}) };
}
