// Reusable contents of an import beside those that are there: the same title is the same content.
import type { PlatformContext } from '../context.ts';
import { insertDocument, readDocument } from '../store/revisions.ts';
import type { ImportedReusableContent } from './imported-content.ts';
import type { TreeReusableContent } from './tree.ts';

/** The id of each imported one by its key: that of the present one with its title, of which each is taken once, or a new one. */
export function claimReusableContents(
  context: PlatformContext,
  present: readonly TreeReusableContent[],
  imported: readonly ImportedReusableContent[],
): Map<string, string> {
  const free = [...present];
  return new Map(
    imported.map(({ key, title }) => {
      const known = free.findIndex((content) => content.title === title);
      const [taken] = known === -1 ? [] : free.splice(known, 1);
      return [key, taken?.id ?? context.random.id()];
    }),
  );
}

export interface ReusableContentImport {
  imported: readonly ImportedReusableContent[];
  /** Ids by key. */
  ids: ReadonlyMap<string, string>;
  /** Replaces the links of the import in a text. */
  resolve: (body: string) => string;
}

/** All that are there after the import. One whose text is as it was keeps its document. */
export function importReusableContents(
  context: PlatformContext,
  present: readonly TreeReusableContent[],
  { imported, ids, resolve }: ReusableContentImport,
): TreeReusableContent[] {
  const contents = new Map(present.map((content) => [content.id, content]));
  for (const { key, title, body } of imported) {
    const id = ids.get(key) ?? '';
    const before = contents.get(id);
    const text = resolve(body);
    if (before && readDocument(context, before.documentId) === text) continue;
    const documentId = insertDocument(context, text);
    contents.set(id, { id, title, ...(documentId === undefined ? {} : { documentId }) });
  }
  return [...contents.values()];
}
