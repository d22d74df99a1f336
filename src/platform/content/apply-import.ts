// An import meets what is there: pages are matched by path, files by name, reusable contents by title; nothing is deleted, and what did not change keeps its id.
import { decodePercent } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import type { ImportedContent, ImportedPage } from './imported-content.ts';
import { importFiles } from './import-files.ts';
import { claimReusableContents, importReusableContents } from './import-reusable-contents.ts';
import { readLayout, readCover } from './page-looks.ts';
import { savePageText, sameFields, type PageDraft } from './save-page.ts';
import { mergeOrder } from './sibling-order.ts';
import { assemble, flatten, headOf, walkPages, type FlatTree, type PageFields, type Tree } from './tree.ts';

interface ImportRun {
  context: PlatformContext;
  now: string;
  flat: FlatTree;
  /** Path of an imported page -> id of the page it became. */
  pageIds: Map<string, string>;
  fileIds: Map<string, string>;
  reusableIds: Map<string, string>;
}

/** The tree that comes of importing into another one. Call it inside a transaction: it stores texts and bytes. */
export function applyImport(
  context: PlatformContext,
  tree: Tree,
  options: { imported: ImportedContent; now: string },
): Tree {
  const { files, ids } = importFiles(context, tree.files, options.imported.files);
  const run: ImportRun = {
    context,
    now: options.now,
    flat: flatten(tree),
    pageIds: new Map(),
    fileIds: ids,
    reusableIds: claimReusableContents(context, tree.reusableContents, options.imported.reusableContents),
  };
  const existing = new Map(Array.from(walkPages(tree.pages), (page) => [page.path, page.id]));
  assignIds(run, options.imported.pages, existing);
  placePages(run, options.imported.pages, null);
  const reusableContents = importReusableContents(context, tree.reusableContents, {
    imported: options.imported.reusableContents,
    ids: run.reusableIds,
    resolve: (body) => resolveLinks(run, body),
  });
  return { pages: assemble(run.flat), files, reusableContents };
}

// All ids are known before the first text is stored, because links may lead forward.
function assignIds(run: ImportRun, pages: readonly ImportedPage[], existing: ReadonlyMap<string, string>): void {
  for (const page of pages) {
    run.pageIds.set(page.path, existing.get(page.path) ?? run.context.random.id());
    assignIds(run, page.pages, existing);
  }
}

function placePages(run: ImportRun, pages: readonly ImportedPage[], parent: string | null): void {
  const ids = pages.map((page) => run.pageIds.get(page.path) ?? '');
  run.flat.children.set(parent, mergeOrder(run.flat.children.get(parent) ?? [], ids));
  pages.forEach((page, i) => {
    const id = ids[i] ?? '';
    writePage(run, id, page);
    placePages(run, page.pages, id);
  });
}

function writePage(run: ImportRun, id: string, page: ImportedPage): void {
  const before = run.flat.pages.get(id);
  const fields = pageFields(run, page);
  const draft: PageDraft = {
    fields,
    body: page.type === 'document' ? resolveLinks(run, page.body ?? '') : null,
  };
  const saved = savePageText(run.context, before, draft);
  if (before && sameFields(before, saved)) return;
  run.flat.pages.set(id, {
    ...saved,
    id,
    path: page.path,
    createdAt: before?.createdAt ?? run.now,
    ...(before ? { updatedAt: run.now } : {}),
    pages: [],
  });
}

function pageFields(run: ImportRun, page: ImportedPage): PageFields {
  const { type, title, slug, href } = page;
  const fields: PageFields = { type, title, slug, ...headOf(page) };
  if (href !== undefined) fields.href = href;
  const layout = readLayout(page.layout);
  if (layout) fields.layout = layout;
  const cover = readCover(page.cover, run.fileIds);
  if (cover) fields.cover = cover;
  return fields;
}

const IMPORT_LINK = /import:(page|file|reusable)\/([^\s)"'<>\]#?]+)/g;

function resolveLinks(run: ImportRun, body: string): string {
  if (!body.includes('import:')) return body;
  return body.replaceAll(IMPORT_LINK, (_, kind: string, written: string) => {
    const [ids, folder] = targetsOf(run, kind);
    const id = idOf(ids, written);
    // A target that was not imported stays readable as the path it had.
    return id === undefined ? written : `/${folder}/${id}`;
  });
}

function targetsOf(run: ImportRun, kind: string): [ids: ReadonlyMap<string, string>, folder: string] {
  switch (kind) {
    case 'page':
      return [run.pageIds, 'pages'];
    case 'file':
      return [run.fileIds, 'files'];
    default:
      return [run.reusableIds, 'reusable-contents'];
  }
}

function idOf(ids: ReadonlyMap<string, string>, written: string): string | undefined {
  return ids.get(written) ?? ids.get(decodePercent(written));
}
