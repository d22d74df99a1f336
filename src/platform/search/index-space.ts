// Keeps the index of the search at the active revision of each space.
import type { PlatformContext } from '../context.ts';
import { sectionsOf, spacedText } from '../../document/index.ts';
import { pageText, withComputedPages } from '../content/computed-pages.ts';
import type { StoredRevision } from '../content/revision-cache.ts';
import { walkPages, type Tree, type TreePage } from '../content/tree.ts';
import { readRevision } from '../store/revisions.ts';

// Raised with a migration that forgets `search_spaces`, when texts are to be indexed in another way.
const INDEXED_AS = 2;

/** Brings the index of a space to this revision: pages that did not change stay as they are. Call it inside a transaction. */
export function indexSpace(context: PlatformContext, space: string, revision: string): void {
  const content = withComputedPages(context, readRevision(context, revision));
  indexTree(context, space, content.tree);
  context.db
    .prepare(
      `insert into search_spaces (space, revision) values (@space, @state)
       on conflict (space) do update set revision = @state`,
    )
    .run({ space, state: stateOf(content) });
}

/** What the index holds: a revision, and what its computed pages were made from, which changes without it. */
function stateOf({ id, pages }: StoredRevision): string {
  const computed = Array.from(pages.values()).filter((page) => page.computed !== undefined);
  const seeds = new Set(computed.map(({ computedSeed }) => computedSeed ?? '-'));
  return [id, ...[...seeds].toSorted()].join(' ');
}

/**
 * Catches up with those of the spaces whose revision was set without an index (copies, and databases from before there was one), or
 * whose computed pages say something else by now.
 */
export function indexStaleSpaces(context: PlatformContext, spaces: readonly string[]): void {
  const stale = context.db
    .prepare<{ id: string; revision: string; indexed: string | null }>(
      `select s.id, s.revision, i.revision as indexed from spaces s left join search_spaces i on i.space = s.id
       where s.id in (select value from json_each(?)) and i.revision is not s.revision`,
    )
    .all(JSON.stringify(spaces));
  for (const { id, revision, indexed } of stale) {
    if (indexed !== null && indexed === stateOf(withComputedPages(context, readRevision(context, revision)))) continue;
    context.db.transaction(() => indexSpace(context, id, revision));
  }
}

function indexTree(context: PlatformContext, space: string, tree: Tree): void {
  const indexed = new Map(
    context.db
      .prepare<{ page: string; state: string }>(
        'select page, state from search_sections where space = ? and ordinal = 0',
      )
      .all(space)
      .map(({ page, state }) => [page, state]),
  );
  for (const page of walkPages(tree.pages)) {
    if (page.type !== 'document') continue;
    const state = JSON.stringify([page.title, page.documentId ?? page.computedSeed ?? null, INDEXED_AS]);
    const before = indexed.get(page.id);
    indexed.delete(page.id);
    if (before === state) continue;
    if (before !== undefined) removePage(context, space, page.id);
    addPage(context, { space, state, page });
  }
  for (const page of indexed.keys()) removePage(context, space, page);
}

function removePage(context: PlatformContext, space: string, page: string): void {
  context.db.prepare('delete from search_sections where space = ? and page = ?').run(space, page);
}

function addPage(
  context: PlatformContext,
  { space, state, page }: { space: string; state: string; page: TreePage },
): void {
  const row = context.db.prepare('insert into search_sections (space, page, state, ordinal) values (?, ?, ?, ?)');
  const text = context.db.prepare('insert into search_text (rowid, title, body) values (?, ?, ?)');
  for (const [ordinal, section] of sectionsOf(pageText(context, page)).entries()) {
    const { lastInsertRowid } = row.run(space, page.id, state, ordinal);
    const title = ordinal === 0 ? page.title : section.title;
    text.run(lastInsertRowid, spacedText(title), spacedText(section.text));
  }
}
