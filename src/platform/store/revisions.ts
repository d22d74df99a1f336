import { isoTime } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { indexTree, type StoredRevision } from '../content/revision-cache.ts';
import { EMPTY_TREE, type Tree } from '../content/tree.ts';
import { noteHeld } from './held-by-space.ts';
import type { RevisionType } from './tables.ts';

export interface NewRevision {
  space: string;
  type: RevisionType;
  parents: readonly string[];
  tree: Tree;
}

/** Writes an immutable revision; a rolled back transaction leaves nothing of it, the cache included. */
export function insertRevision(context: PlatformContext, revision: NewRevision): string {
  const id = context.random.id();
  const { space, tree } = revision;
  const [parent] = revision.parents;
  noteHeld(context, space, { tree, before: parent === undefined ? null : readRevision(context, parent).tree });
  context.db.run(
    context.db.sql.insertInto('revisions').values({
      id,
      space,
      type: revision.type,
      parents: JSON.stringify(revision.parents),
      created_at: isoTime(context.clock.now()),
      tree: JSON.stringify(tree),
    }),
  );
  return id;
}

/** A stored revision by id; every id that a row names exists. */
export function readRevision(context: PlatformContext, id: string): StoredRevision {
  const cached = context.revisions.get(id);
  if (cached) return cached;
  const row = context.db.get(context.db.sql.selectFrom('revisions').selectAll().where('id', '=', id));
  if (!row) throw new Error(`revision ${id} is named by a row but is not stored`);
  const revision: StoredRevision = {
    id,
    space: row.space,
    type: row.type,
    parents: JSON.parse(row.parents) as string[],
    createdAt: row.created_at,
    // Revisions of an older version hold no reusable contents.
    ...indexTree({ ...EMPTY_TREE, ...(JSON.parse(row.tree) as Partial<Tree>) }),
  };
  context.revisions.put(revision, row.tree.length);
  return revision;
}

/** Stores a text under a new id; an empty text needs none. */
export function insertDocument(context: PlatformContext, markdown: string): string | undefined {
  if (markdown.trim() === '') return undefined;
  const id = context.random.id();
  context.db.run(context.db.sql.insertInto('documents').values({ id, markdown, space: null }));
  return id;
}

/** The text of a document; empty for a page without one. */
export function readDocument(context: PlatformContext, id: string | undefined): string {
  if (id === undefined) return '';
  return (
    context.db.prepare<{ markdown: string }>('select markdown from documents where id = ?').get(id)?.markdown ?? ''
  );
}
