// The pages of a space in their order.
import { html } from 'hono/html';
import { depthFirst, groupBy } from '../../base/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { Html } from '../pages/layout.ts';
import { pagePath } from './addresses.ts';
import { emojiOf, titleOf } from './title-of.ts';

export interface PageNode {
  readonly id: string;
  readonly key: string;
  /** Null at the root. */
  readonly parent: PageNode | null;
  readonly below: readonly PageNode[];
}

export interface PageTree {
  readonly roots: readonly PageNode[];
  readonly byId: ReadonlyMap<string, PageNode>;
}

type Placed = Pick<Resource, 'id' | 'key' | 'parent' | 'position'>;

interface Growing extends PageNode {
  readonly below: Growing[];
}

/** Pages whose parent is not there stand at the root, and of those that stand below themselves one does: nothing is left out. */
export function pageTree(reader: SnapshotReader, space: string): PageTree {
  const places = new Map([...reader.places('page', space)].map((place) => [place.id, place]));
  const aboveOf = ({ parent }: Placed): Placed | null => (parent === null ? null : (places.get(parent) ?? null));
  const children = groupBy(places.values(), (place) => aboveOf(place)?.id ?? null);
  const byId = new Map<string, Growing>();
  const stand = ({ id, key }: Placed, parent: PageNode | null): Growing => {
    const node = { id, key, parent, below: [] };
    byId.set(id, node);
    return node;
  };
  const fill = (node: Growing): Growing[] => {
    for (const place of inOrder(children.get(node.id))) if (!byId.has(place.id)) node.below.push(stand(place, node));
    return node.below;
  };
  const roots = inOrder(children.get(null)).map((place) => stand(place, null));
  depthFirst(roots, fill);
  for (const place of places.values()) {
    if (byId.has(place.id)) continue;
    const root = stand(loopAbove(place, aboveOf), null);
    roots.push(root);
    depthFirst([root], fill);
  }
  return { roots, byId };
}

function inOrder(places: readonly Placed[] = []): Placed[] {
  return places.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
}

/** The first of those above a page, or itself, that is found above itself. Only for a page that no root leads to. */
function loopAbove(place: Placed, aboveOf: (place: Placed) => Placed | null): Placed {
  const seen = new Set<Placed>();
  let at = place;
  for (; !seen.has(at); at = aboveOf(at) ?? at) seen.add(at);
  return at;
}

/** From the root to the page, both included; empty where it is not in the tree. */
export function trailTo({ byId }: PageTree, id: string): PageNode[] {
  const trail: PageNode[] = [];
  for (let node = byId.get(id) ?? null; node !== null; node = node.parent) trail.push(node);
  return trail.toReversed();
}

/** What is shown of a page, by its key. */
export type ReadPage = (key: string) => Pick<Resource, 'id' | 'body'> | undefined;

export interface TreeView {
  readonly space: string;
  readonly query: string;
  readonly readPage: ReadPage;
  /** Page that is shown; null when none is. */
  readonly current: string | null;
  /** Ids of pages that lead to it, itself included: they are unfolded. */
  readonly trail: ReadonlySet<string>;
  /** Only what leads to the page is unfolded: for spaces with more pages than anybody scrolls through. */
  readonly sparse: boolean;
}

// Browsers themselves take no more than some hundred levels, and nobody reads them.
export const MOST_LEVELS = 32;

/** What stands deeper than so many levels is shown on the last of them, one after the other. */
export function treeView(nodes: readonly PageNode[], view: TreeView, level = 1): Html {
  const isLast = level === MOST_LEVELS;
  const shown = isLast ? depthFirst(nodes, (node) => unfolded(node, view)) : nodes;
  return html`<ul class="tree">
    ${shown.map((node) => nodeView(node, view, { level, below: isLast ? [] : unfolded(node, view) }))}
  </ul>`;
}

function unfolded({ id, below }: PageNode, { sparse, trail }: TreeView): readonly PageNode[] {
  return sparse && !trail.has(id) ? [] : below;
}

interface Shown {
  readonly level: number;
  readonly below: readonly PageNode[];
}

function nodeView(node: PageNode, view: TreeView, { level, below }: Shown): Html {
  const { id } = node;
  const name = nameOf(node, view);
  const link = pageLink(id, name, view);
  if (below.length === 0) return html`<li>${link}</li>`;
  // A link in the summary would be one control in another: to some who hear the page it is none.
  return html`<li class="branch">
    ${link}
    <details ${level === 1 || view.trail.has(id) ? 'open' : ''}>
      <summary aria-label="Pages below ${name}"></summary>
      ${treeView(below, view, level + 1)}
    </details>
  </li>`;
}

function nameOf({ id, key }: PageNode, { readPage }: Pick<TreeView, 'readPage'>): string {
  const page = readPage(key);
  return page === undefined ? id : `${emojiOf(page.body)} ${titleOf(page)}`.trim();
}

function pageLink(id: string, name: string, { space, query, current }: TreeView): Html {
  const href = pagePath(space, id, query);
  return id === current ? html`<a href="${href}" aria-current="page">${name}</a>` : html`<a href="${href}">${name}</a>`;
}

/** Pages beyond which a tree beside a page shows only what leads to it. */
const MANY = 400;

export function isLarge({ byId }: PageTree): boolean {
  return byId.size > MANY;
}

// To read more of them one by one takes longer than to read all that a space has.
const ONE_BY_ONE = 2_000;

/** Reads what a tree shows of its pages: all of them, or in a large one those beside the trail and below it. */
export function pageReader(reader: SnapshotReader, space: string, shown: number): ReadPage {
  if (shown <= ONE_BY_ONE) return (key) => reader.one('page', key);
  const pages = new Map([...reader.outline('page', space)].map((page) => [page.key, page]));
  return (key) => pages.get(key);
}

/** How many pages a tree shows where only what leads to one of them is unfolded. */
export function shownBeside({ roots }: PageTree, trail: readonly PageNode[]): number {
  return trail.reduce((sum, { below }) => sum + below.length, roots.length);
}
