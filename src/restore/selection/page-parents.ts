// Pages are chosen with those above them: without these they would stand elsewhere.
import type { SnapshotReader } from '../../mirror/index.ts';
import type { Chosen } from './chosen.ts';
import { titleOf } from '../resource.ts';
import { pageAbove } from '../special/page-places.ts';
import type { ClosureEntry } from '../types.ts';

/** Those above what is chosen that are not chosen themselves, each once. */
export function pagesAbove(reader: SnapshotReader, chosen: Chosen | null): ClosureEntry[] {
  if (chosen?.kind !== 'page') return [];
  const known = new Set(chosen.resources.map(({ key }) => key));
  const above: ClosureEntry[] = [];
  for (const page of chosen.resources) {
    for (let at = pageAbove(reader, page); at !== undefined && !known.has(at.key); at = pageAbove(reader, at)) {
      known.add(at.key);
      above.push({ kind: 'page', key: at.key, title: titleOf(at), why: `holds page ${titleOf(page)}` });
    }
  }
  return above;
}
