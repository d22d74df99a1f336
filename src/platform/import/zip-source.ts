// Source `zip`: Markdown files with a table of contents or in folders, and the files they show.
import type { ImportedContent, ImportedFile, ImportedPage, ImportProblem } from '../content/imported-content.ts';
import { openArchive, type ArchiveEntry } from './archive.ts';
import { assetOf, createAssetKeys, type AssetKeys } from './assets.ts';
import type { FetchedSource } from './fetch-source.ts';
import type { ImportLimits } from './limits.ts';
import { resolveTarget, rewriteLinks } from './links.ts';
import { isMarkdown, readPageFile, type PageFile } from './page-file.ts';
import { buildPageTree, type PageTree } from './page-tree.ts';
import { readSummary } from './summary.ts';

interface ReadOptions {
  limits: ImportLimits;
  signal?: AbortSignal;
}

/** Reads a downloaded ZIP. Throws ImportRefused when it cannot be read at all or is beyond the limits. */
export async function readZipSource(source: FetchedSource, { limits, signal }: ReadOptions): Promise<ImportedContent> {
  const archive = await openArchive(source.bytes, limits);
  const entries = withoutTopFolder(archive.entries);
  const found: Found = { entries, problems: [...archive.problems], notImported: archive.problems.length, signal };
  const pageFiles = await readPages(found);
  const summary = await tryRead(found, SUMMARY, readSummary);
  const tree = buildPageTree(pageFiles, summary ?? []);
  found.problems.push(...tree.problems);
  found.notImported += tree.problems.length;
  const keys = createAssetKeys(entries);
  connectLinks(tree, pageFiles, keys);
  const files = await readAssets(found, keys);
  const imported = countPages(tree.pages) + files.length;
  return { pages: tree.pages, files, imported, total: imported + found.notImported, problems: found.problems };
}

const SUMMARY = 'SUMMARY.md';

interface Found {
  entries: ReadonlyMap<string, ArchiveEntry>;
  problems: ImportProblem[];
  notImported: number;
  signal: AbortSignal | undefined;
}

/** The entries as seen from the one folder that holds them all, when the table of contents stands in it. */
function withoutTopFolder(entries: ReadonlyMap<string, ArchiveEntry>): ReadonlyMap<string, ArchiveEntry> {
  const files = [...entries].filter(([file]) => !file.startsWith('__MACOSX/'));
  const tops = new Set(files.map(([file]) => file.slice(0, file.indexOf('/') + 1)));
  const [top = ''] = tops;
  if (tops.size !== 1 || top === '' || !entries.has(top + SUMMARY)) return entries;
  return new Map(files.map(([file, entry]) => [file.slice(top.length), entry]));
}

async function readPages(found: Found): Promise<Map<string, PageFile>> {
  const files = new Map<string, PageFile>();
  for (const file of found.entries.keys()) {
    if (!isPage(file)) continue;
    const page = await tryRead(found, file, (bytes) => readPageFile(file, bytes));
    if (!page) continue;
    for (const reason of page.problems) found.problems.push({ resource: file, reason });
    files.set(file, page);
  }
  return files;
}

function isPage(file: string): boolean {
  const isHidden = file.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');
  return isMarkdown(file) && !isHidden && file !== SUMMARY;
}

async function readAssets(found: Found, keys: AssetKeys): Promise<ImportedFile[]> {
  const files: ImportedFile[] = [];
  for (const [file, key] of keys.wanted()) {
    const asset = await tryRead(found, file, (bytes) => assetOf(file, key, bytes));
    if (asset) files.push(asset);
  }
  return files;
}

// One damaged entry does not cost the others; it is counted as not imported.
async function tryRead<T>(found: Found, file: string, use: (bytes: Buffer) => T): Promise<T | undefined> {
  try {
    const bytes = await found.entries.get(file)?.read(found.signal);
    return bytes && use(bytes);
  } catch (error) {
    found.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    found.problems.push({ resource: file, reason: `it cannot be unpacked: ${reason}` });
    found.notImported++;
    return undefined;
  }
}

/** Points links between the files of the archive at what the files become. */
function connectLinks(tree: PageTree, files: ReadonlyMap<string, PageFile>, keys: AssetKeys): void {
  for (const file of files.keys()) {
    const page = tree.pageOf.get(file);
    if (!page) continue;
    const replace = (target: string): string | undefined => importedTarget(tree, keys, { file, target });
    if (page.body !== undefined) page.body = rewriteLinks(page.body, replace);
    if (page.cover) page.cover = importedCover(page.cover, replace);
  }
}

function importedTarget(tree: PageTree, keys: AssetKeys, link: { file: string; target: string }): string | undefined {
  const target = resolveTarget(link.file, link.target);
  if (!target) return undefined;
  const page = tree.pageOf.get(target.path);
  if (page) return `import:page/${page.path}${target.anchor}`;
  const key = keys.keyOf(target.path);
  return key === undefined ? undefined : `import:file/${key}`;
}

function importedCover(
  cover: Record<string, unknown>,
  replace: (target: string) => string | undefined,
): Record<string, unknown> {
  const ref = cover['ref'] as { kind?: unknown; url?: unknown } | undefined;
  const target = ref?.kind === 'url' && typeof ref.url === 'string' ? replace(ref.url) : undefined;
  return target === undefined ? cover : { ...cover, ref: { kind: 'file', file: target } };
}

function countPages(pages: readonly ImportedPage[]): number {
  return pages.reduce((sum, page) => sum + 1 + countPages(page.pages), 0);
}
