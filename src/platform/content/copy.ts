import type { PlatformContext } from '../context.ts';
import { insertDocument, readDocument } from '../store/revisions.ts';
import { mapLink, mapLinks, type StableLink } from '../../document/index.ts';
import { walkPages, type Tree, type TreePage } from './tree.ts';

/** A deep copy of a tree for another space: new ids for all that it holds, new texts whose links lead into the copy. */
export function copyTree(context: PlatformContext, tree: Tree, spaces: { from: string; to: string }): Tree {
  const ids = new Map<string, string>();
  for (const page of walkPages(tree.pages)) ids.set(page.id, context.random.id());
  for (const { id } of [...tree.files, ...tree.reusableContents]) ids.set(id, context.random.id());
  const renamed = (id: string): string => ids.get(id) ?? id;
  const turned = (link: StableLink): StableLink => ({
    ...link,
    ...(link.space === spaces.from ? { space: spaces.to } : {}),
    ...(link.space === undefined || link.space === spaces.from ? { id: renamed(link.id) } : {}),
  });
  const copyText = ({ documentId }: { documentId?: string }): { documentId?: string } => {
    const text = readDocument(context, documentId);
    const copied = insertDocument(context, mapLinks(text, turned));
    return copied === undefined ? {} : { documentId: copied };
  };
  const copy = (page: TreePage): TreePage => {
    const { documentId: _, updatedAt: _updated, ...rest } = page;
    const looks = besideText(page, { renamed, turned });
    return { ...rest, id: renamed(page.id), ...looks, ...copyText(page), pages: page.pages.map(copy) };
  };
  return {
    pages: tree.pages.map(copy),
    files: tree.files.map((file) => ({ ...file, id: renamed(file.id) })),
    reusableContents: tree.reusableContents.map((content) => ({
      id: renamed(content.id),
      title: content.title,
      ...copyText(content),
    })),
  };
}

interface Turning {
  renamed: (id: string) => string;
  turned: (link: StableLink) => StableLink;
}

/** Where a link leads and the picture of a cover, which the copy has of its own as well. */
function besideText({ href, cover }: TreePage, { renamed, turned }: Turning): Pick<TreePage, 'href' | 'cover'> {
  const beside: Pick<TreePage, 'href' | 'cover'> = {};
  if (href !== undefined) beside.href = mapLink(href, turned) ?? href;
  const ref = cover?.ref;
  if (ref?.kind === 'file') beside.cover = { ...cover, ref: { ...ref, file: renamed(ref.file) } };
  return beside;
}
