// Single pages that a restore is limited to, among all of a content.
import type { SnapshotReader } from '../../mirror/index.ts';
import type { ContentSource } from '../content/import-parts.ts';
import { filesShown } from '../links/links.ts';
import type { Plan } from '../types.ts';

/** Keys of the pages of a content that alone were asked for; undefined where all were. A change request comes whole. */
export function pagesAsked(
  { only: { page: keys } }: Pick<Plan, 'only'>,
  { changeRequest }: ContentSource,
): ReadonlySet<string> | undefined {
  return changeRequest === undefined && keys !== undefined ? new Set(keys) : undefined;
}

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
