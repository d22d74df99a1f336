// Pages that are to be taken away and cannot go, because others stand below them that stay: a platform deletes those with them.
import type { Outlined, SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';
import { isPlaced } from '../special/page-places.ts';
import { titleOf } from '../resource.ts';
import type { PageMend, PagesMend } from '../types.ts';
import type { Divergence } from './divergence.ts';
import { isMade } from './computed-pages.ts';
import type { Mending } from './input.ts';

interface Sides {
  readonly reader: SnapshotReader;
  readonly live: SnapshotReader;
  readonly heirs: IdMap;
}

type Mends = Pick<PagesMend, 'missing' | 'changed' | 'added'>;

/** What keeps a page from going. */
interface Below {
  readonly id: string;
  readonly title: string;
}

/** Those that can be taken away; of the others it is said what keeps them. */
export function goingPages(
  { list, reader, live, heirs }: Mending,
  { added, changed }: Divergence,
  { space, mends }: { readonly space: string; readonly mends: Mends },
): PageMend[] {
  const staying = stayingPages({ reader, live, heirs }, space, mends);
  for (const one of added) {
    const below = one.kind === 'page' ? staying.get(one.id) : undefined;
    if (below === undefined) continue;
    const isMoved = changed.some((page) => page.live.id === below.id && page.wanted.parent !== page.live.parent);
    const isSetBack = mends.changed.some(({ id }) => id === below.id);
    const way = isMoved && !isSetBack ? ': with "changed" that goes back to where it stood' : '';
    list.addUnsupported(one, `stays: page ${below.title}, which is not to go, stands below it${way}`);
  }
  return mends.added.filter(({ id }) => !staying.has(id));
}

/** By the id of each page that stays, something that stands below it once all else is done and that nobody asked to take away. */
function stayingPages(sides: Sides, space: string, mends: Mends): Map<string, Below> {
  const staying = new Map<string, Below>();
  if (mends.added.length === 0) return staying;
  const below = childrenAfter(sides, space, mends);
  const going = new Set(mends.added.map(({ id }) => id));
  const seen = new Set<string>();
  const keeper = (id: string): Below | undefined => {
    if (seen.has(id)) return staying.get(id);
    seen.add(id);
    const held = (below.get(id) ?? []).map((one) => (going.has(one.id) ? keeper(one.id) : one));
    const found = held.find((one) => one !== undefined);
    if (found) staying.set(id, found);
    return found;
  };
  for (const { id } of mends.added) keeper(id);
  return staying;
}

/** What stands below each page when everything was brought back and set back, and nothing taken away. */
function childrenAfter({ reader, live, heirs }: Sides, space: string, mends: Mends): Map<string, Below[]> {
  const all = new Map<string, Below[]>();
  const put = (above: string | null, one: Below): void => {
    if (above === null) return;
    const among = all.get(above);
    if (among) among.push(one);
    else all.set(above, [one]);
  };
  const replacing = new Map(mends.changed.flatMap(({ id, of }) => (of === undefined ? [] : [[of, id] as const])));
  const standsFor = (id: string): string => replacing.get(id) ?? heirs.byId('page', id) ?? id;
  const wanted = ({ id, of = id, below }: PageMend): string | null => {
    if (below !== undefined) return below;
    const above = reader.one('page', `${space}/${of}`)?.parent ?? null;
    return above === null ? null : standsFor(above);
  };
  const placed = new Map(mends.changed.filter(isPlaced).map((mend) => [mend.id, mend]));
  for (const page of live.outline('page', space)) {
    if (!page.holds || isMade(page, [live])) continue;
    const mend = placed.get(page.id);
    put(mend ? wanted(mend) : page.parent, named(page));
  }
  for (const mend of mends.missing) put(wanted(mend), mend);
  return all;
}

function named(page: Outlined): Below {
  return { id: page.id, title: titleOf(page) };
}
