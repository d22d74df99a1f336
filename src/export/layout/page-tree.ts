// The pages of a space in their order, and where each lies on disk. Holds names, never texts.
import { depthFirst } from '../../base/index.ts';
import type { Outlined } from '../../mirror/index.ts';
import { allocateNames, shortId, slugName } from './names.ts';

export interface PageNode {
  readonly id: string;
  /** Number of the resource in the mirror: the earlier a page was first seen, the lower. */
  readonly rid: number;
  /** Computed pages and types that are not known are documents. */
  readonly type: 'document' | 'group' | 'link';
  readonly title: string;
  readonly slug: string | null;
  /** Where a link page leads; null when it has no address. */
  readonly href: string | null;
  /** What a link page refers to, as the platform sent it. */
  readonly target: unknown;
  children: PageNode[];
  /** Path of the file without `.md`, which is also the folder of the pages below; relative to the space. */
  base: string;
  /** It is in no snapshot any more, and listed for its name only: that stays taken, so that no other page's changes. */
  readonly gone: boolean;
  /** False when it is gone and when a selection leaves it out. */
  kept: boolean;
}

export interface PageTree {
  readonly roots: readonly PageNode[];
  readonly byId: ReadonlyMap<string, PageNode>;
  /** Those that are kept, in the order of the table of contents. */
  readonly documents: readonly PageNode[];
}

// `readme` and `index` stand for their folder when they are read back, and what begins with `__macosx` is passed over.
const RESERVED = ['readme', 'index', '__macosx'];
const RESERVED_AT_ROOT = [...RESERVED, 'summary', 'assets', 'more'];
const EXTENSION_BYTES = '.md'.length;
const MAX_FOLDER_BYTES = 150;

interface Placed {
  readonly node: PageNode;
  readonly parent: string | null;
  readonly position: number;
}

/** Whether a page belongs to a selection. */
export type PageFilter = (page: Pick<Outlined, 'id'>) => boolean;

/** Reads all pages of one space (or change request). A page whose parent is not there stands at the root: none is lost. */
export function readPageTree(pages: Iterable<Outlined>, only?: PageFilter): PageTree {
  const placed = new Map<string, Placed>();
  for (const page of pages) {
    placed.set(page.id, { node: toNode(page, only), parent: page.parent, position: page.position ?? Infinity });
  }
  const roots = connect(placed);
  const ordered = depthFirst(roots, ({ children }) => children);
  assignNames(roots, '');
  for (const node of ordered) assignNames(node.children, folderBelow(node));
  keepGroupsInUse(ordered);
  const byId = new Map([...placed].map(([id, { node }]) => [id, node]));
  return { roots, byId, documents: ordered.filter(({ kept, type }) => kept && type === 'document') };
}

/** Path of a document's file, relative to the space. */
export function filePath(node: PageNode): string {
  return `${node.base}.md`;
}

function toNode(page: Outlined, only?: PageFilter): PageNode {
  const { type, title, slug, href, target } = page.body;
  const url = target !== null && typeof target === 'object' && 'url' in target ? target.url : undefined;
  return {
    id: page.id,
    rid: page.rid,
    type: type === 'group' || type === 'link' ? type : 'document',
    title: typeof title === 'string' ? title : '',
    slug: textOrNull(slug),
    href: textOrNull(href) ?? textOrNull(url),
    target,
    children: [],
    base: '',
    gone: !page.holds,
    kept: page.holds && (only === undefined || only(page)),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function connect(placed: ReadonlyMap<string, Placed>): PageNode[] {
  const roots: PageNode[] = [];
  const looping = findLooping(placed);
  const ordered = [...placed.values()].sort((a, b) => a.position - b.position || (a.node.id < b.node.id ? -1 : 1));
  for (const { node, parent } of ordered) {
    const above = parent === null || looping.has(node.id) ? undefined : placed.get(parent);
    const isBelow = above !== undefined && (node.gone || !above.node.gone);
    (isBelow ? above.node.children : roots).push(node);
  }
  return roots;
}

/** The pages that would be found above themselves. */
function findLooping(placed: ReadonlyMap<string, Placed>): ReadonlySet<string> {
  const looping = new Set<string>();
  const settled = new Set<string>();
  for (const id of placed.keys()) {
    const way = new Set<string>();
    let at: string | null = id;
    for (; at !== null && !settled.has(at) && !way.has(at); at = placed.get(at)?.parent ?? null) way.add(at);
    for (; at !== null && way.has(at) && !looping.has(at); at = placed.get(at)?.parent ?? null) looping.add(at);
    for (const one of way) settled.add(one);
  }
  return looping;
}

function assignNames(siblings: readonly PageNode[], folder: string): void {
  const requests = siblings
    .filter((node) => node.type !== 'link')
    .map((node) => ({ id: node.id, age: node.rid, name: wantedName(node) }));
  const reserved = folder === '' ? RESERVED_AT_ROOT : RESERVED;
  const names = allocateNames(requests, { reserved, room: EXTENSION_BYTES });
  for (const node of siblings) node.base = folder + (names.get(node.id) ?? shortId(node.id));
}

function wantedName(node: PageNode): string {
  const name =
    (node.slug !== null && /^[\p{L}\p{N}\p{M}._~-]+$/u.test(node.slug) ? node.slug : '') ||
    slugName(node.slug ?? node.title);
  // A name that ends like a file would, as a folder, meet the file of another page.
  return name.replace(/\.(md|markdown|mdx)$/i, '-$1') || node.type;
}

// A deep tree would make paths that no system takes; the table of contents tells the place, so the path need not.
function folderBelow(node: PageNode): string {
  return Buffer.byteLength(node.base) > MAX_FOLDER_BYTES ? `more/${shortId(node.id, 16)}/` : `${node.base}/`;
}

/** A group is kept for what is kept anywhere below it. */
function keepGroupsInUse(ordered: readonly PageNode[]): void {
  const inUse = new Set<PageNode>();
  for (const node of ordered.toReversed()) {
    const isAboveKept = node.children.some((child) => inUse.has(child));
    if (node.type === 'group' && isAboveKept) node.kept = true;
    if (node.kept || isAboveKept) inUse.add(node);
  }
}
