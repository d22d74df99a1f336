// Source `markdown`: one document at the address.
import path from 'node:path';
import type { ImportedContent, ImportedPage } from '../content/imported-content.ts';
import type { FetchedSource } from './fetch-source.ts';
import { decodeText } from './decode-text.ts';
import { baseName, bodyUnder, ownTitle, readPageFile } from './page-file.ts';
import { notReadable } from './refused.ts';
import { chosenSlug, slugOf, titleFromName } from './slug.ts';

/** Reads a downloaded Markdown document as one page named after the last part of its address. */
export function readMarkdownSource(source: FetchedSource): ImportedContent {
  const file = lastSegment(source.url);
  const page = readPageFile(file, textOf(source));
  const title = ownTitle(page) ?? titleFromName(baseName(file));
  const { slug: chosen, title: _title, ...metadata } = page.metadata;
  const slug = chosen === undefined ? slugOf(baseName(file)) : chosenSlug(chosen);
  const imported: ImportedPage = {
    type: 'document',
    title,
    slug,
    path: slug,
    ...metadata,
    body: bodyUnder(page, title),
    pages: [],
  };
  const problems = page.problems.map((reason) => ({ resource: file, reason }));
  return { pages: [imported], files: [], reusableContents: [], imported: 1, total: 1, problems };
}

function textOf({ bytes, charset }: FetchedSource): string {
  try {
    return decodeText(bytes, charset);
  } catch (error) {
    throw notReadable('Markdown', error);
  }
}

/** The last part of an address as a name. */
export function lastSegment(url: URL): string {
  const name = path.posix.basename(url.pathname);
  try {
    return decodeURIComponent(name) || url.hostname;
  } catch {
    return name;
  }
}
