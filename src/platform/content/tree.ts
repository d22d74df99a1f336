// What a revision holds: its tree of pages without their text, its files, and its reusable contents. Plain data, never changed once stored.
import { PAGE_FLAGS, PAGE_TEXTS, type Page, type PageHead } from '../../contract/index.ts';
import { uniqueSlug } from '../import/slug.ts';
import type { PictureSize } from './picture-size.ts';

export interface PageFields extends PageHead {
  type: 'document' | 'group' | 'link' | 'computed';
  title: string;
  slug: string;
  layout?: NonNullable<Page['layout']>;
  cover?: NonNullable<Page['cover']>;
  /** Where a link leads. */
  href?: string;
  /** The text; absent on an empty document and on everything that is no document. */
  documentId?: string;
  /** What a `computed` entry, and every page made from it, is computed from. */
  computed?: NonNullable<Page['computed']>;
  /** The state of the source that a computed page shows; only on pages that were made from it. */
  computedSeed?: string;
}

export interface TreePage extends PageFields {
  id: string;
  /** Slugs from the root; always that of the place where the page stands. */
  path: string;
  createdAt: string;
  /** Present once the page was changed. */
  updatedAt?: string;
  pages: TreePage[];
}

export interface TreeFile {
  id: string;
  name: string;
  contentType: string;
  size: number;
  sha256: string;
  /** Of pictures. */
  dimensions?: PictureSize;
}

/** A text that pages include. */
export interface TreeReusableContent {
  id: string;
  title: string;
  /** The text; absent when it is empty. */
  documentId?: string;
}

export interface Tree {
  pages: TreePage[];
  files: TreeFile[];
  reusableContents: TreeReusableContent[];
}

/**
 * How many pages may stand below each other: more than any import brings. A tree is gone down into step by step, and one twice as deep
 * would be more than the stack holds.
 */
export const MOST_LEVELS = 600;

export const EMPTY_TREE: Tree = { pages: [], files: [], reusableContents: [] };

const HEAD = [...PAGE_TEXTS, ...PAGE_FLAGS];

/** What is said of these fields. */
export function headOf(page: PageHead): PageHead {
  return Object.fromEntries(HEAD.filter((field) => page[field] !== undefined).map((field) => [field, page[field]]));
}

/** Every page, parents before children, in the order of the table of contents. */
export function* walkPages(pages: readonly TreePage[]): Generator<TreePage> {
  for (const page of pages) {
    yield page;
    yield* walkPages(page.pages);
  }
}

/** Parent and children of every page by id; the root is null. */
export interface FlatTree {
  pages: Map<string, TreePage>;
  parents: Map<string, string | null>;
  children: Map<string | null, string[]>;
}

export function flatten(tree: Tree): FlatTree {
  const flat: FlatTree = { pages: new Map(), parents: new Map(), children: new Map() };
  const visit = (pages: readonly TreePage[], parent: string | null): void => {
    flat.children.set(
      parent,
      pages.map((page) => page.id),
    );
    for (const page of pages) {
      flat.pages.set(page.id, page);
      flat.parents.set(page.id, parent);
      visit(page.pages, page.id);
    }
  };
  visit(tree.pages, null);
  return flat;
}

/**
 * The tree that the parts describe, with every path made new from the slugs; slugs that collide among siblings get a number. What stands
 * below a link, of which an import has made one, comes behind all beside it: a link has no pages.
 */
export function assemble(flat: Pick<FlatTree, 'pages' | 'children'>): TreePage[] {
  const build = (parent: string | null, prefix: string): TreePage[] => {
    const taken = new Set<string>();
    return raised(flat, flat.children.get(parent) ?? []).flatMap((id) => {
      const page = flat.pages.get(id);
      if (!page) return [];
      const slug = uniqueSlug(page.slug, taken);
      const path = prefix === '' ? slug : `${prefix}/${slug}`;
      return [{ ...page, slug, path, pages: page.type === 'link' ? [] : build(id, path) }];
    });
  };
  return build(null, '');
}

/** Siblings, and behind them what stands below those that are links. */
function raised(flat: Pick<FlatTree, 'pages' | 'children'>, ids: readonly string[]): readonly string[] {
  const below = ids.filter((id) => flat.pages.get(id)?.type === 'link').flatMap((id) => flat.children.get(id) ?? []);
  return below.length === 0 ? ids : [...ids, ...raised(flat, below)];
}
