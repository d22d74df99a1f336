// Source `zip`: Markdown, HTML and Word files with a table of contents or in folders, and the files they show.
import type { ImportedContent, OpenImport } from '../content/imported-content.ts';
import { openArchive, type ArchiveEntry } from './archive.ts';
import { fetchLarge, type LargeSourceRequest } from './fetch-source.ts';
import type { Download } from './download.ts';
import { contentOf, readPages, SUMMARY, tryRead, type SourceFiles } from './source-files.ts';
import { readSummary } from './summary.ts';

/** Downloads and reads a ZIP. Throws ImportRefused when it cannot be read at all or is beyond the limits. */
export async function readZipSource(request: LargeSourceRequest): Promise<OpenImport> {
  const download = await fetchLarge(request);
  try {
    const content = await readArchive(download, request);
    return { ...content, [Symbol.dispose]: () => download[Symbol.dispose]() };
  } catch (error) {
    download[Symbol.dispose]();
    throw error;
  }
}

async function readArchive(
  download: Download,
  { limits, signal }: Pick<LargeSourceRequest, 'limits' | 'signal'>,
): Promise<ImportedContent> {
  const archive = await openArchive(download, limits);
  const found: SourceFiles = {
    entries: withoutTopFolder(archive.entries),
    problems: [...archive.problems],
    notImported: archive.problems.length,
    limits,
    signal,
  };
  const pageFiles = await readPages(found);
  const summary = await tryRead(found, SUMMARY, readSummary);
  return contentOf(found, pageFiles, summary ?? []);
}

/** The entries as seen from the one folder that holds them all, when the table of contents stands in it. */
function withoutTopFolder(entries: ReadonlyMap<string, ArchiveEntry>): Map<string, ArchiveEntry> {
  const files = [...entries].filter(([file]) => !file.startsWith('__MACOSX/'));
  const tops = new Set(files.map(([file]) => file.slice(0, file.indexOf('/') + 1)));
  const [top = ''] = tops;
  if (tops.size !== 1 || top === '' || !entries.has(top + SUMMARY)) return new Map(entries);
  return new Map(files.map(([file, entry]) => [file.slice(top.length), entry]));
}
