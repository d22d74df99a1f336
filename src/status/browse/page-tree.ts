// The pages of a space in their order.
import { html } from 'hono/html';
import type { Outlined, SnapshotReader } from '../../mirror/index.ts';
import type { Html } from '../pages/layout.ts';
import { pagePath } from './addresses.ts';
import { text } from './render-inline.ts';
import { titleOf } from './title-of.ts';

export interface PageNode {
  readonly page: Outlined;
  readonly below: readonly PageNode[];
}

/** Pages whose parent is not there stand at the root: nothing is left out. */
export function pageTree(reader: SnapshotReader, space: string): PageNode[] {
  const pages = [...reader.outline('page', space)].filter(({ holds }) => holds);
  const ids = new Set(pages.map(({ id }) => id));
  const children = new Map<string | null, Outlined[]>();
  for (const page of pages) {
    const parent = page.parent !== null && ids.has(page.parent) ? page.parent : null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(page);
    else children.set(parent, [page]);
  }
  const nodesBelow = (parent: string | null): PageNode[] =>
    (children.get(parent) ?? [])
      .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
      .map((page) => ({ page, below: nodesBelow(page.id) }));
  return nodesBelow(null);
}

export interface TreeView {
  readonly space: string;
  readonly query: string;
  /** Page that is shown; null when none is. */
  readonly current: string | null;
  /** Only what leads to the page is unfolded: for spaces with more pages than anybody scrolls through. */
  readonly sparse: boolean;
}

export function treeView(nodes: readonly PageNode[], view: TreeView, depth = 0): Html {
  return html`<ul class="${depth === 0 ? 'tree' : ''}">
    ${nodes.map((node) => nodeView(node, view, depth))}
  </ul>`;
}

function nodeView({ page, below }: PageNode, view: TreeView, depth: number): Html {
  const link = pageLink(page, view);
  const leads = view.current !== null && (page.id === view.current || holdsPage(below, view.current));
  if (below.length === 0 || (view.sparse && !leads)) return html`<li>${link}</li>`;
  // A link in the summary would be one control in another: to some who hear the page it is none.
  return html`<li class="branch">
    ${link}
    <details ${depth === 0 || leads ? 'open' : ''}>
      <summary aria-label="Pages below ${nameOf(page)}"></summary>
      ${treeView(below, view, depth + 1)}
    </details>
  </li>`;
}

function nameOf(page: Outlined): string {
  return `${text(page.body['emoji'])} ${titleOf(page)}`.trim();
}

function pageLink(page: Outlined, { space, query, current }: TreeView): Html {
  const { id } = page;
  const title = nameOf(page);
  const href = pagePath(space, id, query);
  return id === current
    ? html`<a href="${href}" aria-current="page">${title}</a>`
    : html`<a href="${href}">${title}</a>`;
}

/** Pages beyond which a tree beside a page shows only what leads to it. */
const MANY = 400;

export function isLarge(nodes: readonly PageNode[]): boolean {
  const count = (all: readonly PageNode[]): number => all.reduce((sum, { below }) => sum + 1 + count(below), 0);
  return count(nodes) > MANY;
}

function holdsPage(nodes: readonly PageNode[], id: string): boolean {
  return nodes.some(({ page, below }) => page.id === id || holdsPage(below, id));
}
