// Which links a revision holds and whether they lead anywhere, computed from its texts.
import { Refusal } from '../../contract/index.ts';
import { rewriteLinks } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { specBySlug } from '../store/openapi.ts';
import { readDocument, readRevision } from '../store/revisions.ts';
import { findSpace } from '../store/spaces.ts';
import { readTarget, type LinkTarget } from '../../document/index.ts';
import { pageText, withComputedPages } from './computed-pages.ts';
import type { StoredRevision } from './revision-cache.ts';
import { walkPages, type TreePage, type TreeReusableContent } from './tree.ts';

export interface FoundLink {
  /** Unique among the links of a revision, and their order. */
  key: string;
  target: LinkTarget;
  status: 'ok' | 'broken' | 'in-app';
  /** What holds it. */
  holders: LinkHolder[];
}

/** A page, or a text that pages include. */
export type LinkHolder = TreePage | TreeReusableContent;

export function isPage(holder: LinkHolder): holder is TreePage {
  return 'slug' in holder;
}

/** Every link of a revision, one entry for each target, sorted by it. */
export function allLinks(context: PlatformContext, revision: StoredRevision): readonly FoundLink[] {
  return context.revisionLinks.get(revision.id, () =>
    linksOf(context, revision, [...walkPages(revision.tree.pages), ...revision.tree.reusableContents]),
  );
}

/** The links of these parts of a revision. */
export function linksOf(
  context: PlatformContext,
  revision: StoredRevision,
  holders: Iterable<LinkHolder>,
): FoundLink[] {
  const found = new Map<string, FoundLink>();
  const { pageAt } = revision;
  const looking = lookFrom(context, revision);
  for (const holder of holders) {
    for (const written of new Set(writtenLinks(context, holder))) {
      const page = isPage(holder) ? holder.id : undefined;
      // An anchor alone, in a text that pages include, leads to a place in each of them.
      if (page === undefined && written.startsWith('#')) continue;
      const target = readTarget({ space: revision.space, page, pageAt }, written);
      const key = JSON.stringify(target);
      const known = found.get(key);
      if (known && known.holders.at(-1) !== holder) known.holders.push(holder);
      if (!known) found.set(key, { key, target, status: statusOf(looking, target), holders: [holder] });
    }
  }
  return [...found.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Link targets as they stand: in the text, and of a page where it leads, its cover, what it is computed from. */
function writtenLinks(context: PlatformContext, holder: LinkHolder): string[] {
  const { documentId } = holder;
  // What a computed page says changes with its source.
  if (isPage(holder) && holder.computedSeed !== undefined) {
    return [...linksBesideText(holder), ...targetsIn(pageText(context, holder))].filter((target) => target !== '');
  }
  const inText = documentId === undefined ? [] : linksInText(context, documentId);
  return [...(isPage(holder) ? linksBesideText(holder) : []), ...inText].filter((target) => target !== '');
}

function linksBesideText({ href, cover, computed }: TreePage): string[] {
  const { ref } = cover ?? {};
  const spec = computed?.dependencies?.spec?.ref?.spec;
  return [
    href ?? '',
    ref?.kind === 'file' ? `/files/${ref.file}` : ref?.kind === 'url' ? ref.url : '',
    spec === undefined ? '' : `/openapi/${spec}`,
  ];
}

/** A document never changes, so its links are remembered. */
function linksInText(context: PlatformContext, documentId: string): string[] {
  return context.documentLinks.get(documentId, () => targetsIn(readDocument(context, documentId)));
}

function targetsIn(text: string): string[] {
  const targets: string[] = [];
  rewriteLinks(text, (target) => void targets.push(target));
  return targets;
}

/** Where links are looked up, from a revision. */
interface Looking {
  readonly context: PlatformContext;
  readonly revision: StoredRevision;
  /** The revision itself, or the active one of another space; null when that is not there. */
  readonly contentOf: (space: string) => StoredRevision | null;
}

/** Many links lead to few spaces, and pages of a specification are computed each time that a space is read. */
function lookFrom(context: PlatformContext, revision: StoredRevision): Looking {
  const found = new Map<string, StoredRevision | null>([[revision.space, revision]]);
  const contentOf = (space: string): StoredRevision | null => {
    const known = found.get(space);
    if (known !== undefined) return known;
    const content = activeContent(context, space);
    found.set(space, content);
    return content;
  };
  return { context, revision, contentOf };
}

function activeContent(context: PlatformContext, space: string): StoredRevision | null {
  try {
    return withComputedPages(context, readRevision(context, findSpace(context, space).revision));
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function statusOf(looking: Looking, target: LinkTarget): FoundLink['status'] {
  if (target.kind === 'url') {
    if (target.url.startsWith(`${looking.context.url}/app/`)) return 'in-app';
    // What is neither an address nor known by id was a path that nothing answers to.
    return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target.url) ? 'ok' : 'broken';
  }
  return isThere(looking, target) ? 'ok' : 'broken';
}

function isThere({ context, revision, contentOf }: Looking, target: Exclude<LinkTarget, { kind: 'url' }>): boolean {
  switch (target.kind) {
    case 'page':
      return contentOf(target.space)?.pages.has(target.page) === true;
    case 'file':
      return contentOf(target.space)?.files.has(target.file) === true;
    case 'space':
      return contentOf(target.space) !== null;
    case 'collection':
      return hasRow(context, 'collections', target.collection);
    case 'user':
      return hasRow(context, 'users', target.user);
    case 'openapi':
      return specBySlug(context, findSpace(context, revision.space).organization, target.slug) !== undefined;
    case 'reusable-content':
      return contentOf(target.space)?.reusableContents.has(target.content) === true;
  }
}

function hasRow(context: PlatformContext, table: 'collections' | 'users', id: string): boolean {
  return context.db.prepare(`select 1 from ${table} where id = ?`).get(id) !== undefined;
}
