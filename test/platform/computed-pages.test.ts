import { expect, it } from 'vitest';
import { withComputedPages } from '../../src/platform/content/computed-pages.ts';
import { createLru } from '../../src/platform/content/lru.ts';
import { indexTree, type StoredRevision } from '../../src/platform/content/revision-cache.ts';
import type { TreePage } from '../../src/platform/content/tree.ts';
import { openStore } from '../../src/platform/store/open-store.ts';

const CREATED = '2025-01-01T00:00:00.000Z';

function page(id: string, more: Partial<TreePage> = {}): TreePage {
  return { type: 'document', id, title: id, slug: id, path: id, createdAt: CREATED, pages: [], ...more };
}

it('platform/content/computed-pages makes a tree once for as long as its sources stay: each request for one page made that of its whole space', () => {
  using db = openStore(':memory:');
  const context = { db, specs: createLru<undefined>(1), shown: new WeakMap() };
  const pages = [page('plain', { pages: [page('below')] }), page('entry', { type: 'computed', computed: {} })];
  const tree = { pages, files: [], reusableContents: [] };
  const facts = { id: 'r', space: 's', type: 'edits', parents: [], createdAt: CREATED } as const;
  const stored: StoredRevision = { ...facts, ...indexTree(tree) };
  const shown = withComputedPages(context, stored);
  expect(shown.pages.get('entry')).toMatchObject({ type: 'document', pages: [] });
  expect(withComputedPages(context, stored)).toBe(shown);
  // What holds nothing that is computed is the same page, and takes no second place in memory.
  expect(shown.pages.get('plain')).toBe(stored.pages.get('plain'));
});
