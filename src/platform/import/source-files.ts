// What every source becomes in the end: page files in their places, and the files and reusable contents that they show.
import type { ImportedContent, ImportedFile, ImportedPage, ImportProblem } from '../content/imported-content.ts';
import type { ArchiveEntry } from './archive.ts';
import type { ReadParts } from '../content/file-content.ts';
import { assetOf, createAssetKeys, isInAssetFolder, type AssetKeys } from './assets.ts';
import { connectLinks } from './connect-links.ts';
import { decodeHtml, decodeText } from './decode-text.ts';
import { pictureEntry, readDocx } from './docx.ts';
import { readHtml } from './html.ts';
import type { ImportLimits } from './limits.ts';
import { isMarkdown, ownTitle, pageFormat, readPageFile, type PageFile } from './page-file.ts';
import { buildPageTree } from './page-tree.ts';
import { isReusableFile, splitReusable } from './reusable-files.ts';
import type { SummaryEntry } from './summary.ts';

export const SUMMARY = 'SUMMARY.md';

/** The files of a source, and what of it could not be read. */
export interface SourceFiles {
  entries: Map<string, ArchiveEntry>;
  problems: ImportProblem[];
  notImported: number;
  limits: ImportLimits;
  signal: AbortSignal | undefined;
}

/** What the source holds. Counts are of pages, files and reusable contents; what could not be read is in `total` only. */
export async function contentOf(
  found: SourceFiles,
  pageFiles: ReadonlyMap<string, PageFile>,
  summary: readonly SummaryEntry[],
): Promise<ImportedContent> {
  const { pages: placed, reusable } = splitReusable(pageFiles, summary);
  const tree = buildPageTree(placed, summary);
  found.problems.push(...tree.problems);
  found.notImported += tree.problems.length;
  const keys = createAssetKeys(found.entries, isText);
  connectLinks({ tree, reusable, keys }, placed.keys());
  const files = await readAssets(found, keys);
  const imported = countPages(tree.pages) + files.length + reusable.size;
  return {
    pages: tree.pages,
    files,
    reusableContents: [...reusable.values()],
    imported,
    total: imported + found.notImported,
    problems: found.problems,
  };
}

/** The files of the source that are pages or reusable contents, by path. */
export async function readPages(found: SourceFiles): Promise<Map<string, PageFile>> {
  const files = new Map<string, PageFile>();
  // Reading a Word document adds its pictures, which are no pages.
  for (const file of Array.from(found.entries.keys())) {
    if (!isText(file) || file === SUMMARY) continue;
    const page = await tryRead(found, file, (bytes) => readPage(found, file, bytes));
    if (!page) continue;
    for (const reason of page.problems) found.problems.push({ resource: file, reason });
    files.set(file, page);
  }
  return files;
}

async function readPage(found: SourceFiles, file: string, bytes: Buffer): Promise<PageFile> {
  switch (pageFormat(file)) {
    case 'html': {
      const { title, markdown } = readHtml(decodeHtml(bytes));
      return withTitle(readPageFile(file, markdown), title);
    }
    case 'docx': {
      const { markdown, pictures } = await readDocx(bytes, { folder: `${file}.files`, limits: found.limits });
      for (const [path, picture] of pictures) found.entries.set(path, pictureEntry(path, picture));
      return readPageFile(file, markdown);
    }
    default:
      return readPageFile(file, decodeText(bytes));
  }
}

/** The page with a title for when its text has none. */
export function withTitle(page: PageFile, title: string): PageFile {
  return title === '' || ownTitle(page) !== undefined ? page : { ...page, metadata: { ...page.metadata, title } };
}

function isText(file: string): boolean {
  return isPage(file) || isReusableFile(file);
}

// HTML and Word documents in a folder for files are files that somebody attached.
function isPage(file: string): boolean {
  const isHidden = file.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');
  return !isHidden && (isMarkdown(file) || (pageFormat(file) !== undefined && !isInAssetFolder(file)));
}

/** Reads one file of the source. One that is damaged does not cost the others; it is counted as not imported. */
export async function tryRead<T>(
  found: SourceFiles,
  file: string,
  use: (bytes: Buffer) => T | Promise<T>,
): Promise<T | undefined> {
  return tryOpen(found, file, (parts) => use(Buffer.concat([...parts()])));
}

async function tryOpen<T>(
  found: SourceFiles,
  file: string,
  use: (parts: ReadParts) => T | Promise<T>,
): Promise<T | undefined> {
  try {
    found.signal?.throwIfAborted();
    const parts = await found.entries.get(file)?.open();
    return parts && (await use(parts));
  } catch (error) {
    found.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    found.problems.push({ resource: file, reason: `it cannot be read: ${reason}` });
    found.notImported++;
    return undefined;
  }
}

async function readAssets(found: SourceFiles, keys: AssetKeys): Promise<ImportedFile[]> {
  const files: ImportedFile[] = [];
  for (const [file, key] of keys.wanted()) {
    const asset = await tryOpen(found, file, (parts) => assetOf(file, key, parts));
    if (asset) files.push(asset);
  }
  return files;
}

function countPages(pages: readonly ImportedPage[]): number {
  return pages.reduce((sum, page) => sum + 1 + countPages(page.pages), 0);
}
