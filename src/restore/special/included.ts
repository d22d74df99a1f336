// Which reusable contents single pages include: how Markdown names them is not in the API document, but it names what it includes.
import type { SnapshotReader } from '../../mirror/index.ts';
import type { Selection } from '../selection/selection.ts';

const INCLUDE = /\{%-?\s*include\b[^%]*%\}/g;

/**
 * Ids of the reusable contents of a space that come short with the pages that are meant: those that these include. All of them where the
 * whole space is meant, and where an include names none that is known, as then nobody can tell.
 */
export function includedContents(reader: SnapshotReader, selection: Selection, space: string): Set<string> {
  const all = [...reader.resources('reusable-content', space)].map(({ id }) => id);
  const only = selection.limitOf('page');
  if (only === null || all.length === 0) return new Set(all);
  const included = new Set<string>();
  for (const key of only) {
    if (!key.startsWith(`${space}/`)) continue;
    for (const [include] of (reader.one('page', key)?.text ?? '').matchAll(INCLUDE)) {
      const named = all.filter((id) => include.includes(id));
      for (const id of named.length > 0 ? named : all) included.add(id);
    }
  }
  return included;
}
