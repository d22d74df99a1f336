// What is imported to bring missing pages back: they themselves, and above them the pages that stand, exactly as they stand.
import { addressById } from '../../../base/index.ts';
import type { KindName } from '../../../contract/index.ts';
import {
  AppAddresses,
  followLink,
  linkDestination,
  renamedFiles,
  spaceLayout,
  type Leading,
  type LinkResolver,
  type SpaceLayout,
} from '../../../export/index.ts';
import type { Resource, SnapshotReader } from '../../../mirror/index.ts';
import type { ImportPart, Refusals } from '../../content/divided-parts.ts';
import { withTitleAlone } from '../../content/untaken-content.ts';
import { filesShown } from '../../links/links.ts';
import { lastOf } from '../../resource.ts';
import type { ApplyContext, PageMend, PlanStep } from '../../types.ts';
import { missingById } from './missing-map.ts';
import { linksOut } from '../content/import-archive.ts';
import { lookMends, withLooks } from './looks.ts';
import { renamed } from '../../special/page-places.ts';

/** @param part Of all that the step brings. */
export function missingSource(
  context: ApplyContext,
  step: PlanStep,
  { part, refusals }: { readonly part: ImportPart; readonly refusals: Refusals },
): SpaceLayout {
  const { live } = context;
  if (live === null) throw new Error('missing pages are brought back in place only');
  const space = step.key;
  const missing = missingById(step);
  const files = new Set((step.pages?.files ?? []).map(({ id }) => id));
  const looks = new Map(lookMends(step).map((mend) => [mend.id, mend]));
  const overlay = overlayOf(context, live, { space, missing, files, looks, isBare: (id) => refusals.isBare(id) });
  const kept = withParents(overlay, space, part.pages);
  // What stands comes along as it stands. Imported under another name it would be there twice: the links to it lead to it anyway.
  const renamed = renamedFiles(overlay, space);
  const pages = [...kept].map((id) => overlay.one('page', `${space}/${id}`));
  const shown = new Set(pages.flatMap((page) => (page === undefined ? [] : filesShown(page))));
  const beside = new Set(part.files);
  for (const id of shown) if (live.one('file', `${space}/${id}`) === undefined) files.add(id);
  return spaceLayout({
    reader: overlay,
    space,
    links: namingOwn(linksOut(context, { space }), { space, missing, ids: context.ids }),
    namesOwnSpace: true,
    follow: followStanding(live, space),
    only: ({ id }) => kept.has(id),
    onlyFiles: ({ id }) =>
      beside.has(id) || (shown.has(id) && !refusals.apart.has(id) && (files.has(id) || !renamed.has(id))),
  });
}

/** A link page that comes back without an address of its own leads to where the app shows what it refers to, while that stands. */
function followStanding(live: SnapshotReader, space: string): (page: Leading) => string | null {
  const following = { reader: live, space, addresses: new AppAddresses(live), resolve: () => null };
  return (page) => (page.href === null ? followLink(following, page) : linkDestination(page.href));
}

interface Own {
  readonly space: string;
  readonly missing: ReadonlyMap<string, PageMend>;
  readonly ids: ApplyContext['ids'];
}

/** A link that names its own space keeps naming it, to what stands: from file to file it would come back without. */
function namingOwn(links: LinkResolver, { space, missing, ids }: Own): LinkResolver {
  const own = (page: string): string | null =>
    missing.has(page) ? null : addressById({ to: 'page', space, id: ids.byId('page', page) ?? page });
  return {
    ...links,
    page: (named, page, from) => links.page(named, page, from) ?? (named === space ? own(page) : null),
  };
}

interface Missing {
  readonly space: string;
  readonly missing: ReadonlyMap<string, PageMend>;
  readonly files: ReadonlySet<string>;
  /** Pages that stand, and of which only an import sets something back. */
  readonly looks: ReadonlyMap<string, PageMend>;
  /** True for a page of which the platform takes nothing but its title. */
  readonly isBare: (id: string) => boolean;
}

/** The state that stands, with the missing pages and files in it. */
function overlayOf(
  context: ApplyContext,
  live: SnapshotReader,
  { space, missing, files, looks, isBare }: Missing,
): SnapshotReader {
  const { reader } = context;
  const looking = <T extends Pick<Resource, 'kind' | 'id' | 'key' | 'body'>>(one: T): T => {
    const mend = one.kind === 'page' ? looks.get(one.id) : undefined;
    return mend === undefined ? one : withLooks(context, one, mend);
  };
  const placed = <T extends Pick<Resource, 'kind' | 'id' | 'parent' | 'body'> | undefined>(one: T): T => {
    const { below, importedAs } = (one?.kind === 'page' && missing.get(one.id)) || {};
    if (one === undefined || (below === undefined && importedAs === undefined)) return one;
    return { ...one, parent: below === undefined ? one.parent : below, body: renamed(one.body, importedAs) };
  };
  const brought = <T extends Resource | undefined>(one: T): T => {
    const there = placed(one);
    return there?.kind === 'page' && isBare(there.id) ? withTitleAlone(there) : there;
  };
  const isMissing = (kind: KindName, id: string): boolean =>
    (kind === 'page' && missing.has(id)) || (kind === 'file' && files.has(id));
  return {
    ...live,
    *resources(kind, within) {
      for (const one of live.resources(kind, within)) if (!isMissing(kind, one.id)) yield looking(one);
      if (within !== space || (kind !== 'page' && kind !== 'file')) return;
      for (const one of reader.resources(kind, within)) if (isMissing(kind, one.id)) yield brought(one);
    },
    *outline(kind, within) {
      for (const one of live.outline(kind, within)) if (!isMissing(kind, one.id)) yield looking(one);
      for (const one of reader.outline(kind, within)) if (isMissing(kind, one.id)) yield placed(one);
    },
    one: (kind, key) => {
      if (isMissing(kind, lastOf(key))) return brought(reader.one(kind, key));
      const one = live.one(kind, key);
      return one && looking(one);
    },
  };
}

/** A page that stands keeps its place only when the pages above it are named too. */
function withParents(overlay: SnapshotReader, space: string, pages: readonly string[]): Set<string> {
  const kept = new Set<string>();
  for (const id of pages) {
    let at: string | null = id;
    while (at !== null && !kept.has(at)) {
      kept.add(at);
      at = overlay.one('page', `${space}/${at}`)?.parent ?? null;
    }
  }
  return kept;
}
