import { PAGE_FLAGS, type File, type Page, type ReusableContent, type Revision } from '../../contract/index.ts';
import { defined } from '../defined.ts';
import type { PlatformContext } from '../context.ts';
import { pageText } from '../content/computed-pages.ts';
import { documentNodes } from '../../document/index.ts';
import type { StoredRevision } from '../content/revision-cache.ts';
import type { TreeFile, TreePage, TreeReusableContent } from '../content/tree.ts';
import { spaceAppUrl } from './containers.ts';

/** A page as the tree of a revision has it: everything but its text. */
export function showPage(context: PlatformContext, space: string, page: TreePage): Page {
  const { href, pages, createdAt, updatedAt, path, slug, ...rest } = page;
  // Times are shown once a page was edited, as the reference platform does.
  const times = updatedAt === undefined ? {} : { createdAt, updatedAt };
  const urls = { app: `${spaceAppUrl(context, space)}/p/${page.id}` };
  if (page.type === 'link') {
    return defined({
      ...rest,
      ...times,
      href,
      target: href === undefined ? undefined : { kind: 'url' as const, url: href },
    });
  }
  const shown: Page = { ...rest, ...times, slug, path, urls };
  for (const flag of PAGE_FLAGS) shown[flag] ??= false;
  shown.pages = pages.map((child) => showPage(context, space, child));
  return shown;
}

/** A page with its text, as Markdown below the title or as a tree of nodes; only documents have one. */
export function showPageBody(
  context: PlatformContext,
  place: { space: string; page: TreePage },
  format: 'markdown' | 'document',
): Page {
  const shown = showPage(context, place.space, place.page);
  if (place.page.type !== 'document') return shown;
  const body = pageText(context, place.page);
  if (format === 'document') {
    return { ...shown, document: { object: 'document' as const, data: {}, nodes: documentNodes(body) } };
  }
  return { ...shown, markdown: pageMarkdown(place.page.title, body) };
}

/** The page's text with its title as the first heading. */
function pageMarkdown(title: string, body: string): string {
  return body === '' ? `# ${title}\n` : `# ${title}\n\n${body}`;
}

export function showFile(context: PlatformContext, file: TreeFile): File {
  return defined({
    id: file.id,
    name: file.name,
    contentType: file.contentType,
    downloadURL: context.signer.address(file),
    size: file.size,
    dimensions: file.dimensions,
  });
}

export function showReusableContent({ id, title, documentId }: TreeReusableContent): ReusableContent {
  return defined({ id, title, document: documentId });
}

export function showRevision(context: PlatformContext, revision: StoredRevision): Revision {
  return {
    object: 'revision' as const,
    id: revision.id,
    parents: [...revision.parents],
    pages: revision.tree.pages.map((page) => showPage(context, revision.space, page)),
    files: revision.tree.files.map((file) => showFile(context, file)),
    reusableContents: revision.tree.reusableContents.map(showReusableContent),
    createdAt: revision.createdAt,
    urls: { app: `${spaceAppUrl(context, revision.space)}/r/${revision.id}` },
    type: revision.type,
  };
}
