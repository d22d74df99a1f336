// Files of an archive that are no pages: those that a page refers to, and those in folders made for them.
import path from 'node:path';
import type { ImportedFile } from '../content/imported-content.ts';
import type { ArchiveEntry } from './archive.ts';
import { fileContent, type ReadParts } from '../content/file-content.ts';

const ASSET_FOLDERS: ReadonlySet<string> = new Set(['assets', 'images', 'img', 'static']);
const CLUTTER: ReadonlySet<string> = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** Keys for the files of a source, given out in the order in which they are asked for. */
export interface AssetKeys {
  /** The key of a file of the archive; undefined when there is no such file. */
  keyOf(file: string): string | undefined;
  /** Path and key of each file with a key, in the order of their keys. */
  wanted(): [file: string, key: string][];
}

/** Keys `a1`, `a2`, …: first for the files in asset folders, by path, then for each file that `keyOf` is asked for. */
export function createAssetKeys(
  entries: ReadonlyMap<string, ArchiveEntry>,
  isPage: (file: string) => boolean,
): AssetKeys {
  const keys = new Map<string, string>();
  const keyOf = (file: string): string | undefined => {
    if (!entries.has(file) || isPage(file)) return undefined;
    const key = keys.get(file) ?? `a${keys.size + 1}`;
    keys.set(file, key);
    return key;
  };
  for (const file of [...entries.keys()].sort()) if (isInAssetFolder(file)) keyOf(file);
  return {
    keyOf,
    wanted: () => [...keys],
  };
}

/** An asset with its name and type. */
export function assetOf(file: string, key: string, parts: ReadParts): ImportedFile {
  return { key, ...fileContent(path.posix.basename(file), parts) };
}

/** True for files in a folder that is made for them. */
export function isInAssetFolder(file: string): boolean {
  const parts = file.split('/');
  const name = parts.pop() ?? '';
  return !CLUTTER.has(name) && parts[0] !== '__MACOSX' && parts.some((part) => ASSET_FOLDERS.has(part));
}
