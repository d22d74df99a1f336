// The pages of a space in their order.
import { html } from 'hono/html';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { Html } from '../pages/layout.ts';
import { pagePath } from './addresses.ts';
import { text } from './render-inline.ts';
import { titleOf } from './title-of.ts';

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

/** Pages whose parent is not there stand at the root: nothing is left out. */
export function pageTree(reader: SnapshotReader, space: string): PageTree {
  const places = [...reader.places('page', space)];
  const ids = new Set(places.map(({ id }) => id));
  const children = new Map<string | null, Pick<Resource, 'id' | 'key' | 'position'>[]>();
  for (const page of places) {
    const parent = page.parent !== null && ids.has(page.parent) ? page.parent : null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(page);
    else children.set(parent, [page]);
  }
  const byId = new Map<string, PageNode>();
  const nodesBelow = (parent: PageNode | null): PageNode[] =>
    (children.get(parent?.id ?? null) ?? [])
      .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
      .map(({ id, key }) => {
        const below: PageNode[] = [];
        const node = { id, key, parent, below };
        byId.set(id, node);
        below.push(...nodesBelow(node));
        return node;
      });
  return { roots: nodesBelow(null), byId };
}

/** From the root to the page, both included; empty where it is not in the tree. */
export function trailTo({ byId }: PageTree, id: string): PageNode[] {
  const trail: PageNode[] = [];
  for (let node = byId.get(id) ?? null; node !== null; node = node.parent) trail.unshift(node);
  return trail;
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

export function treeView(nodes: readonly PageNode[], view: TreeView, depth = 0): Html {
  return html`<ul class="${depth === 0 ? 'tree' : ''}">
    ${nodes.map((node) => nodeView(node, view, depth))}
  </ul>`;
}

function nodeView(node: PageNode, view: TreeView, depth: number): Html {
  const { id, below } = node;
  const name = nameOf(node, view);
  const link = pageLink(id, name, view);
  const leads = view.trail.has(id);
  if (below.length === 0 || (view.sparse && !leads)) return html`<li>${link}</li>`;
  // A link in the summary would be one control in another: to some who hear the page it is none.
  return html`<li class="branch">
    ${link}
    <details ${depth === 0 || leads ? 'open' : ''}>
      <summary aria-label="Pages below ${name}"></summary>
      ${treeView(below, view, depth + 1)}
    </details>
  </li>`;
}

function nameOf({ id, key }: PageNode, { readPage }: Pick<TreeView, 'readPage'>): string {
  const page = readPage(key);
  return page === undefined ? id : `${text(page.body['emoji'])} ${titleOf(page)}`.trim();
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
