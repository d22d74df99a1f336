// Source `zip`: Markdown, HTML and Word files with a table of contents or in folders, and the files they show.
import type { ImportedContent } from '../content/imported-content.ts';
import { openArchive, type ArchiveEntry } from './archive.ts';
import type { FetchedSource } from './fetch-source.ts';
import type { ImportLimits } from './limits.ts';
import { contentOf, readPages, SUMMARY, tryRead, type SourceFiles } from './source-files.ts';
import { readSummary } from './summary.ts';

/** Reads a downloaded ZIP. Throws ImportRefused when it cannot be read at all or is beyond the limits. */
export async function readZipSource(
  source: FetchedSource,
  { limits, signal }: { limits: ImportLimits; signal?: AbortSignal },
): Promise<ImportedContent> {
  const archive = await openArchive(source.bytes, limits);
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
