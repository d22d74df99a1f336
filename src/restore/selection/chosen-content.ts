import type { SnapshotReader } from '../../mirror/index.ts';
import { filesShown } from '../links/links.ts';

/** Ids of pages of a space, by their keys, and of the files that they show; looked through page by page, as a space can be large. */
export function chosenContent(
  reader: SnapshotReader,
  space: string,
  keys: ReadonlySet<string>,
): { pages: Set<string>; files: Set<string> } {
  const [pages, files] = [new Set<string>(), new Set<string>()];
  for (const page of reader.resources('page', space)) {
    if (!keys.has(page.key)) continue;
    pages.add(page.id);
    for (const file of filesShown(page)) files.add(file);
  }
  return { pages, files };
}
