// The batch of page edits of the reference platform: all or nothing, one new revision.
import { type BodyOf, invalid, PAGE_TEXTS } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { chosenSlug, slugOf } from '../import/slug.ts';
import type { InsertedFiles } from './inserted-files.ts';
import { storeFile } from './import-files.ts';
import { savePageText, sameFields, fieldsOf } from './save-page.ts';
import {
  assemble,
  flatten,
  headOf,
  MOST_LEVELS,
  type FlatTree,
  type PageFields,
  type Tree,
  type TreeFile,
  type TreePage,
} from './tree.ts';

export type ContentChange = BodyOf<'changeContent'>['changes'][number];
type Insert = Extract<ContentChange, { type: 'insert_page' }>;
type Update = Extract<ContentChange, { type: 'update_page' }>;

interface Batch {
  context: PlatformContext;
  flat: FlatTree;
  now: string;
  /** What the names that pages and files of this batch have for each other lead to. */
  refs: Map<string, string>;
}

/** The tree after all changes, in their order. Throws a Refusal that names the change which is not possible. */
export function applyChanges(
  context: PlatformContext,
  tree: Tree,
  options: { changes: readonly ContentChange[]; files: InsertedFiles; now: string },
): Tree {
  const batch: Batch = { context, flat: flatten(tree), now: options.now, refs: new Map() };
  const files = options.files.map((file) => insertFile(batch, file));
  const ids = options.changes.map((change) => ('page' in change ? change.page : context.random.id()));
  options.changes.forEach((change, i) => {
    if (change.type === 'insert_page' && change.ref !== undefined) batch.refs.set(change.ref, `/pages/${ids[i] ?? ''}`);
  });
  options.changes.forEach((change, i) => {
    const field = `changes/${i}`;
    const id = ids[i] ?? '';
    if (change.type === 'insert_page') insertPage(batch, { id, change, field });
    else if (change.type === 'update_page') updatePage(batch, { id, change, field });
    else if (change.type === 'delete_page') deletePage(batch, pageOf(batch, id, `${field}/page`).id);
  });
  return { ...tree, pages: assemble(batch.flat), files: [...tree.files, ...files] };
}

function insertFile({ context, refs }: Batch, file: InsertedFiles[number]): TreeFile {
  const id = context.random.id();
  if (file.ref !== undefined) refs.set(file.ref, `/files/${id}`);
  return storeFile(context, id, file);
}

function insertPage(batch: Batch, insert: { id: string; change: Insert; field: string }): void {
  const { id, change, field } = insert;
  const { title, body } = splitTitle(change.document.markdown, change.title);
  const fields: PageFields = {
    type: 'document',
    title: title ?? 'Untitled',
    slug: change.slug === undefined ? slugOf(title ?? 'Untitled') : chosenSlug(change.slug),
    ...headOf(change),
  };
  const saved = savePageText(batch.context, undefined, { fields, body: resolveRefs(batch, body) });
  batch.flat.pages.set(id, { ...saved, id, path: '', createdAt: batch.now, pages: [] });
  batch.flat.children.set(id, []);
  place(batch, { id, into: change.into ?? null, at: change.at, field });
}

function updatePage(batch: Batch, update: { id: string; change: Update; field: string }): void {
  const { id, change, field } = update;
  const before = pageOf(batch, id, `${field}/page`);
  const split = change.document && splitTitle(change.document.markdown, change.title);
  if (split && before.type !== 'document') throw invalid(`${field}/document`, 'only a document has a text');
  const fields = withoutEmpty({
    ...fieldsOf(before),
    title: split?.title ?? change.title ?? before.title,
    slug: change.slug === undefined ? before.slug : chosenSlug(change.slug),
    ...headOf(change),
  });
  const saved = split ? savePageText(batch.context, before, { fields, body: resolveRefs(batch, split.body) }) : fields;
  const moves = change.into !== undefined || change.at !== undefined;
  if (!moves && sameFields(before, saved)) return;
  const { id: _, path, createdAt, pages } = before;
  batch.flat.pages.set(id, { ...saved, id, path, createdAt, updatedAt: batch.now, pages });
  if (moves) {
    const parent = change.into === undefined ? (batch.flat.parents.get(id) ?? null) : change.into;
    place(batch, { id, into: parent, at: change.at, field });
  }
}

function deletePage(batch: Batch, id: string): void {
  for (const child of batch.flat.children.get(id) ?? []) deletePage(batch, child);
  detach(batch, id);
  batch.flat.pages.delete(id);
  batch.flat.children.delete(id);
}

function pageOf(batch: Batch, id: string, field: string): TreePage {
  const page = batch.flat.pages.get(id);
  if (!page) throw invalid(field, `page ${id} does not exist`);
  return page;
}

function place(batch: Batch, target: { id: string; into: string | null; at: number | undefined; field: string }): void {
  const { id, into } = target;
  let levels = heightOf(batch, id);
  for (let above = into; above !== null; above = batch.flat.parents.get(above) ?? null) {
    if (above === id) throw invalid(`${target.field}/into`, 'a page cannot be moved into itself');
    levels++;
  }
  if (levels > MOST_LEVELS) {
    throw invalid(`${target.field}/into`, `at most ${MOST_LEVELS} pages stand below each other, seen ${levels}`);
  }
  if (into !== null && pageOf(batch, into, `${target.field}/into`).type === 'link') {
    throw invalid(`${target.field}/into`, 'a link holds no pages');
  }
  if (into !== null && pageOf(batch, id, `${target.field}/page`).type === 'group') {
    throw invalid(`${target.field}/into`, 'a group stands at the top of a space only');
  }
  detach(batch, id);
  const siblings = batch.flat.children.get(into) ?? [];
  batch.flat.children.set(into, siblings.toSpliced(target.at ?? siblings.length, 0, id));
  batch.flat.parents.set(id, into);
}

/** How many levels a page has with what stands below it. */
function heightOf({ flat }: Batch, id: string): number {
  let height = 0;
  for (let level = [id]; level.length > 0; height++) level = level.flatMap((page) => flat.children.get(page) ?? []);
  return height;
}

function detach(batch: Batch, id: string): void {
  const parent = batch.flat.parents.get(id) ?? null;
  const siblings = batch.flat.children.get(parent) ?? [];
  batch.flat.children.set(
    parent,
    siblings.filter((sibling) => sibling !== id),
  );
}

function withoutEmpty(fields: PageFields): PageFields {
  const kept = { ...fields };
  for (const text of PAGE_TEXTS) if (kept[text] === '') delete kept[text];
  return kept;
}

/** A leading heading is the title, and wins over the one that came beside the text. What is stored begins with a line that says something. */
function splitTitle(markdown: string, title: string | undefined): { title: string | undefined; body: string } {
  const text = markdown.replaceAll(/\r\n?/g, '\n');
  const heading = /^\s*#(?: {2,}| (?![ \n]|$))(?! )([^\n]*)(?:\n+|$)/.exec(text);
  if (!heading) return { title, body: text.replace(/^(?:[ \t]*\n)+/, '') };
  const [whole, line = ''] = heading;
  return { title: withoutClosing(line).trim(), body: text.slice(whole.length) };
}

/** A heading may end as it begins. */
function withoutClosing(line: string): string {
  return line.replace(/(?<! ) +$/, '').replace(/(?<=[^ ]) +#+$/, '');
}

function resolveRefs(batch: Batch, body: string): string {
  if (batch.refs.size === 0) return body;
  return body.replaceAll(/\]\(\.\/([^)\s#]+)/g, (whole, ref: string) => {
    const target = batch.refs.get(ref);
    return target === undefined ? whole : `](${target}`;
  });
}
