// What an import of a content that is made anew is divided by.
import type { Resource, SnapshotReader } from '../../../mirror/index.ts';
import type { Divisible } from '../../content/divided-parts.ts';
import { kindsOf, textIn, type ContentSource } from '../../content/import-parts.ts';
import { filesShown } from '../../links/links.ts';
import { textAt, titleOf } from '../../resource.ts';

export function divisibleContent(reader: SnapshotReader, source: ContentSource): Divisible {
  const { pages, files } = kindsOf(source);
  const pageOf = (id: string): Resource | undefined => reader.one(pages[0], `${pages[1]}/${id}`);
  const nameOfFile = (id: string): string => textAt(reader.one(files[0], `${files[1]}/${id}`)?.body, 'name') ?? id;
  const nameOfPage = (id: string): string => {
    const page = pageOf(id);
    return page === undefined ? id : titleOf(page);
  };
  return {
    filesAlong: (id) => {
      const shown = new Set<string>();
      const seen = new Set<string>();
      for (let page = pageOf(id); page !== undefined && !seen.has(page.id); page = pageOf(page.parent ?? '')) {
        seen.add(page.id);
        for (const file of filesShown({ body: page.body, text: textIn(reader, source, page) })) shown.add(file);
      }
      return [...shown];
    },
    isBrought: (id) => reader.one(files[0], `${files[1]}/${id}`) !== undefined,
    titleOf: (kind, id) => (kind === 'page' ? nameOfPage(id) : nameOfFile(id)),
    // One that no file is has nothing but its title.
    lackOf: (id) => (pageOf(id)?.body['type'] === 'document' ? 'content' : 'all'),
  };
}
