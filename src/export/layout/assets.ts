// The attached files of a space: under which name each lies in `assets/`, and which are not in the mirror.
import type { Outlined, Resource, SnapshotReader } from '../../mirror/index.ts';
import { textField } from './fields.ts';
import { allocateNames, splitExtension, type NameRequest } from './names.ts';

const ASSETS = 'assets';

export interface LayoutAsset {
  readonly id: string;
  readonly path: string;
  /** Name of the object that holds its bytes. */
  readonly object: string;
  readonly size: number;
}

/** The files that are wanted, by id, and the ids of those whose bytes are not in the mirror. All take part in the names. */
export function readAssets(
  files: Iterable<Outlined>,
  only: ((file: Outlined) => boolean) | undefined,
): { assets: Map<string, LayoutAsset>; missing: string[] } {
  const all: (NameRequest & { readonly isWanted: boolean; readonly object: Resource['object'] })[] = [];
  for (const file of files) {
    const { id, rid: age, holds, object } = file;
    const isWanted = holds && (only === undefined || only(file));
    all.push({ id, age, isWanted, object, ...assetName(textField(file.body, 'name')) });
  }
  const names = allocateNames(all);
  const assets = new Map<string, LayoutAsset>();
  const missing: string[] = [];
  for (const { id, object, isWanted } of all) {
    if (!isWanted) continue;
    if (object === null) missing.push(id);
    else assets.set(id, { id, path: `${ASSETS}/${names.get(id) ?? id}`, object: object.sha256, size: object.size });
  }
  return { assets, missing };
}

/** Ids of files that a layout of their space, or change request, calls otherwise: another file has the name, or it cannot stand on a disk. */
export function renamedFiles(
  reader: SnapshotReader,
  within: string,
  kind: 'file' | 'change-request-file' = 'file',
): Set<string> {
  const files = [...reader.outline(kind, within)].filter(({ holds }) => holds);
  const { assets } = readAssets(files, undefined);
  const isRenamed = ({ id, body }: Outlined): boolean => {
    const path = assets.get(id)?.path;
    return path !== undefined && path !== `${ASSETS}/${textField(body, 'name')}`;
  };
  return new Set(files.filter(isRenamed).map(({ id }) => id));
}

// An attached Markdown file would be read back as a page.
function assetName(name: string): { name: string; extension: string } {
  const { name: stem, extension } = splitExtension(name);
  return { name: stem, extension: /^\.(md|markdown)$/i.test(extension) ? `${extension}.txt` : extension };
}
