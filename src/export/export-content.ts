// The pages and files of spaces: each page is made again only when it, a name in its space, or a place that it links to has changed.
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { SpaceFolder } from './layout/containers.ts';
import type { Context } from './export-files.ts';
import { PARTS, REACH, SPACE_OWNER, type DeferredPage, type SpaceRow } from './written/index-rows.ts';
import { indexLinks, notingLinks } from './written/index-links.ts';
import { askResolver, rewriteStableLinks, type LinkResolver } from './layout/links.ts';
import { pageText } from './layout/page-text.ts';
import { spaceLayout, type LayoutPage, type SpaceLayout } from './layout/space-layout.ts';
import { SUMMARY } from './layout/summary.ts';

interface SpaceWork {
  readonly folder: SpaceFolder;
  readonly num: number;
  readonly layout: SpaceLayout;
  /** No name in the space, nor its own, has changed since the last export. */
  readonly isSame: boolean;
}

/** Brings one space up to date. Pages that link to other spaces wait until all have their places. */
export async function updateContent(context: Context, folder: SpaceFolder): Promise<void> {
  const { reader, index, meter, fields, addresses, changes } = context;
  const before = index.space(folder.id);
  const num = index.placeSpace(folder.id, folder.path);
  const links = notingLinks(folder.id, meter);
  const eager = changes.all || before === undefined;
  const layout = spaceLayout({ reader, space: folder.id, keepNames: true, links, fields, addresses, eager });
  const names = namesHash(layout);
  const isSame = before?.layout === names && before.path === folder.path;
  if (!isSame) context.moved = true;
  await updateAll(context, { folder, num, layout, isSame });
  index.sweep(num, PARTS.content);
  index.settleSpace(num, names, { documents: layout.documents, files: layout.assets, missing: layout.missing.length });
}

async function updateAll(context: Context, work: SpaceWork): Promise<void> {
  const { writer, pace } = context;
  const { folder, num, layout } = work;
  const entry = { space: num, part: PARTS.content, owner: null, reach: REACH.none };
  updateSummary(context, work);
  for (const page of layout.pages()) {
    updatePage(context, work, page);
    context.progress.pages += 1;
    if (pace.step()) await context.rest();
  }
  for (const { id, path, ...object } of layout.assetFiles()) {
    await writer.putObject({ ...entry, path: `${folder.path}/${path}`, owner: `file/${id}` }, object);
    context.progress.files += 1;
    if (pace.step()) await context.rest();
  }
}

/** Every time: it is cheap. One that leads into other spaces waits as a page does. */
function updateSummary({ index, writer, meter }: Context, { folder, num, layout }: SpaceWork): void {
  meter.reset();
  const text = layout.summary();
  const path = `${folder.path}/${SUMMARY}`;
  const entry = { path, space: num, part: PARTS.content, owner: SPACE_OWNER, reach: meter.reach };
  if (meter.reach === REACH.beyond) index.place(entry);
  else writer.putText(entry, text);
}

function updatePage(context: Context, { folder, num, layout, isSame }: SpaceWork, page: LayoutPage): void {
  const { index, writer, changes, meter } = context;
  const path = `${folder.path}/${page.path}`;
  const owner = `page/${page.id}`;
  const row = index.file(path);
  const isKnown = !changes.all && row?.owner === owner && row.lost === 0 && !changes.resources.has(page.rid);
  if (isKnown && (isSame || row.reach === REACH.none)) return index.keep(path);
  meter.reset();
  const made = layout.pageText(page.id);
  if (made === null) return;
  if (made.linked || isAddressed(made.text)) meter.note(REACH.space);
  const entry = { path, space: num, part: PARTS.content, owner, reach: meter.reach };
  if (meter.reach === REACH.beyond) index.place(entry);
  else writer.putText(entry, made.text);
}

/** True for a text with an address that may be that of a file of the space once its bytes are there. */
function isAddressed(text: string): boolean {
  return text.includes('://');
}

/** Hash of everything that a link from within a space can lead to. */
function namesHash(layout: SpaceLayout): string {
  const hash = createHash('sha256');
  for (const { id, path } of layout.pages()) hash.update(`page/${id} ${path}\n`);
  for (const { id, path } of layout.assetFiles()) hash.update(`file/${id} ${path}\n`);
  return hash.digest('base64url');
}

const AT_ONCE = 500;

/** Makes the pages that waited for the places of others. */
export async function updateWaiting(context: Context): Promise<void> {
  const { index, pace } = context;
  for (let pages = index.deferred(0, AT_ONCE); pages.length > 0;) {
    for (const page of pages) {
      updateLinked(context, page);
      if (pace.step()) await context.rest();
    }
    pages = index.deferred(pages.at(-1)?.seq ?? 0, AT_ONCE);
  }
}

function updateLinked(context: Context, waiting: DeferredPage): void {
  const { index, writer, meter } = context;
  const { path, space, num, owner } = waiting;
  meter.reset();
  const links = indexLinks({ index, space, root: posix.dirname(path), meter });
  const text = owner === SPACE_OWNER ? summaryWith(context, space, links) : textWith(context, waiting, links);
  if (text === null) return;
  writer.putText({ path, space: num, part: PARTS.content, owner, reach: meter.reach }, text, { waited: true });
}

function summaryWith({ reader, fields, addresses }: Context, space: string, links: LinkResolver): string {
  return spaceLayout({ reader, space, keepNames: true, links, fields, addresses }).summary();
}

function textWith(
  { reader, fields, addresses }: Context,
  { path, space, owner }: DeferredPage,
  links: LinkResolver,
): string | null {
  const page = reader.one('page', `${space}/${owner.slice('page/'.length)}`);
  if (page === undefined) return null;
  const name = posix.basename(path);
  return pageText({
    page,
    fields,
    markdown: page.text,
    name: posix.basename(path, '.md'),
    rewrite: (text) => rewriteStableLinks(text, (link) => askResolver(links, link, name), addresses),
    fileLink: (file) => links.file(file, name),
  });
}

/** Counts that are kept of a space that needs no look. */
export function countUntouched({ progress }: Context, row: SpaceRow | undefined): void {
  progress.pages += row?.documents ?? 0;
  progress.files += row?.files ?? 0;
}
