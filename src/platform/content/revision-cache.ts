import { walkPages, type Tree, type TreeFile, type TreePage, type TreeReusableContent } from './tree.ts';
import type { RevisionType } from '../store/tables.ts';

/** A revision as read from the database, with its pages by id. Shared: treat it as frozen. */
export interface StoredRevision {
  readonly id: string;
  readonly space: string;
  readonly type: RevisionType;
  readonly parents: readonly string[];
  readonly createdAt: string;
  readonly tree: Tree;
  readonly pages: ReadonlyMap<string, TreePage>;
  /** The page with a path. */
  readonly pageAt: (path: string) => TreePage | undefined;
  readonly files: ReadonlyMap<string, TreeFile>;
  readonly reusableContents: ReadonlyMap<string, TreeReusableContent>;
  /** Entries of the tree that stand for pages which are computed. */
  readonly computed: readonly TreePage[];
}

/** Revisions never change, so parsed ones are kept; `bytes` bounds the JSON they were read from. */
export interface RevisionCache {
  get(id: string): StoredRevision | undefined;
  put(revision: StoredRevision, bytes: number): void;
  forget(id: string): void;
}

const MAX_BYTES = 8 * 1024 * 1024;

/** Keeps the most recently used revisions. */
export function createRevisionCache(maxBytes: number = MAX_BYTES): RevisionCache {
  const kept = new Map<string, { revision: StoredRevision; bytes: number }>();
  let total = 0;
  const forget = (id: string): void => {
    total -= kept.get(id)?.bytes ?? 0;
    kept.delete(id);
  };
  return {
    get: (id) => {
      const found = kept.get(id);
      if (!found) return undefined;
      kept.delete(id);
      kept.set(id, found);
      return found.revision;
    },
    put: (revision, bytes) => {
      forget(revision.id);
      kept.set(revision.id, { revision, bytes });
      total += bytes;
      for (const id of kept.keys()) {
        if (total <= maxBytes || id === revision.id) break;
        forget(id);
      }
    },
    forget,
  };
}

/** The maps by id that a stored revision carries. */
export function indexTree(
  tree: Tree,
): Pick<StoredRevision, 'tree' | 'pages' | 'pageAt' | 'files' | 'reusableContents' | 'computed'> {
  const pages = new Map(Array.from(walkPages(tree.pages), (page) => [page.id, page]));
  return {
    tree,
    pages,
    pageAt: byPath(pages),
    computed: [...pages.values()].filter(({ type }) => type === 'computed'),
    files: new Map(tree.files.map((file) => [file.id, file])),
    reusableContents: new Map(tree.reusableContents.map((content) => [content.id, content])),
  };
}

/** Made when it is first asked for: most revisions are never asked. */
function byPath(pages: ReadonlyMap<string, TreePage>): StoredRevision['pageAt'] {
  let paths: Map<string, TreePage> | undefined;
  return (path) => {
    paths ??= new Map(Array.from(pages.values(), (page) => [page.path, page]));
    return paths.get(path);
  };
}
