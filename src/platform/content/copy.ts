import type { PlatformContext } from '../context.ts';
import { insertDocument, readDocument } from '../store/revisions.ts';
import { mapLinks } from './stable-links.ts';
import { walkPages, type Tree, type TreePage } from './tree.ts';

/** A deep copy of a tree for another space: new ids for pages and files, new texts whose links lead into the copy. */
export function copyTree(context: PlatformContext, tree: Tree, spaces: { from: string; to: string }): Tree {
  const ids = new Map<string, string>();
  for (const page of walkPages(tree.pages)) ids.set(page.id, context.random.id());
  for (const file of tree.files) ids.set(file.id, context.random.id());
  const renamed = (id: string): string => ids.get(id) ?? id;
  const rewrite = (markdown: string): string =>
    mapLinks(markdown, (link) => ({
      ...link,
      ...(link.space === spaces.from ? { space: spaces.to } : {}),
      ...(link.space === undefined || link.space === spaces.from ? { id: renamed(link.id) } : {}),
    }));
  const copy = (page: TreePage): TreePage => {
    const { documentId, updatedAt: _, ...rest } = page;
    const copied = insertDocument(context, rewrite(readDocument(context, documentId)));
    return {
      ...rest,
      id: renamed(page.id),
      ...(copied === undefined ? {} : { documentId: copied }),
      pages: page.pages.map(copy),
    };
  };
  return {
    pages: tree.pages.map(copy),
    files: tree.files.map((file) => ({ ...file, id: renamed(file.id) })),
  };
}
