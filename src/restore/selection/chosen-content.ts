import type { SnapshotReader } from '../../mirror/index.ts';
import { filesLinked } from '../links/links.ts';

/** Ids of pages of a space, by their keys, and of the files that they show; looked through page by page, as a space can be large. */
export function chosenContent(
  reader: SnapshotReader,
  space: string,
  keys: ReadonlySet<string>,
): { pages: Set<string>; files: Set<string> } {
  const [pages, files] = [new Set<string>(), new Set<string>()];
  for (const { key, id, text } of reader.resources('page', space)) {
    if (!keys.has(key)) continue;
    pages.add(id);
    for (const file of filesLinked(text ?? '')) files.add(file);
  }
  return { pages, files };
}
