// Which texts and bytes a space holds: they are gone with it, but for bytes that another space or a specification has too.
import type { PlatformContext } from '../context.ts';
import { EMPTY_TREE, type Tree, type TreePage } from '../content/tree.ts';

type Store = Pick<PlatformContext, 'db'>;

/**
 * Texts are of one space: a copy of it has its own. Those that were stored before this was noted, in `documents.space`, stay when their
 * space goes.
 */
export const HELD_BY_SPACE = `
alter table documents add column space text;
create index documents_by_space on documents (space) where space is not null;
create trigger documents_of_spaces after delete on spaces begin delete from documents where space = old.id; end;
create table held_blobs (
  space text not null references spaces (id) on delete cascade, sha256 text not null, primary key (space, sha256)
) without rowid;
create index held_blobs_by_hash on held_blobs (sha256);
insert or ignore into held_blobs
  select r.space, json_extract(f.value, '$.sha256') from revisions r, json_each(r.tree, '$.files') f;
create trigger blobs_that_nobody_holds after delete on held_blobs
  when not exists (select 1 from held_blobs where sha256 = old.sha256)
  and not exists (select 1 from openapi_versions where sha256 = old.sha256)
  and not exists (select 1 from openapi_specs where source_text = old.sha256)
  begin delete from blobs where sha256 = old.sha256; end;
`;

/** The same for specifications: their versions go with them, and a source goes where another takes its place. */
export const HELD_BY_SPEC = `
create trigger blobs_of_versions after delete on openapi_versions when ${isHeldByNobody('old.sha256')}
  begin delete from blobs where sha256 = old.sha256; end;
create trigger blobs_of_specs after delete on openapi_specs when ${isHeldByNobody('old.source_text')}
  begin delete from blobs where sha256 = old.source_text; end;
create trigger blobs_of_sources after update of source_text on openapi_specs when ${isHeldByNobody('old.source_text')}
  begin delete from blobs where sha256 = old.source_text; end;
`;

function isHeldByNobody(hash: string): string {
  return `not exists (select 1 from held_blobs where sha256 = ${hash})
  and not exists (select 1 from openapi_versions where sha256 = ${hash})
  and not exists (select 1 from openapi_specs where source_text = ${hash})`;
}

/** Notes what a tree of the space holds, but for what another tree of it, `before`, was noted to hold. */
export function noteHeld(context: Store, space: string, { tree, before }: { tree: Tree; before: Tree | null }): void {
  const [held, known] = [heldIn(tree), heldIn(before ?? EMPTY_TREE)];
  const texts = [...held.texts].filter((id) => !known.texts.has(id));
  context.db
    .prepare('update documents set space = @space where id in (select value from json_each(@ids))')
    .run({ space, ids: JSON.stringify(texts) });
  for (const sha256 of held.blobs) if (!known.blobs.has(sha256)) holdBlob(context, space, sha256);
}

export function holdBlob(context: Store, space: string, sha256: string): void {
  context.db.prepare('insert or ignore into held_blobs (space, sha256) values (?, ?)').run(space, sha256);
}

function heldIn({ pages, files, reusableContents }: Tree): { texts: Set<string>; blobs: Set<string> } {
  const texts = new Set<string>();
  const add = ({ documentId }: { documentId?: string }): void => {
    if (documentId !== undefined) texts.add(documentId);
  };
  // Not by `walkPages`: that takes as long as all the rest of it, at each edit.
  const addBelow = (siblings: readonly TreePage[]): void => {
    for (const page of siblings) {
      add(page);
      addBelow(page.pages);
    }
  };
  addBelow(pages);
  for (const content of reusableContents) add(content);
  return { texts, blobs: new Set(files.map(({ sha256 }) => sha256)) };
}
