import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, isoTime, sha256, toAppError, writeFileAtomic } from '../base/index.ts';
import { readerAt, resolveSnapshot, type Mirror } from '../mirror/index.ts';
import { exportFiles, newTotals, type ExportTotals } from './export-files.ts';
import { MANIFEST, manifestText, readManifest, readSums, SUMS, sumsText } from './manifest.ts';
import { placesOf, recover, refuseForeign, swapIn, type Places } from './swap.ts';
import { TreeWriter } from './tree-writer.ts';

export interface ExportOptions {
  readonly mirror: Mirror;
  /** Number of a sealed snapshot. */
  readonly snapshot: number;
  /** Folder of the export: not there, empty, or an earlier export. */
  readonly to: string;
  readonly onProgress?: (progress: ExportProgress) => void;
  readonly signal?: AbortSignal;
}

/** Called after each file. */
export interface ExportProgress {
  readonly pages: number;
  /** Pages of the whole snapshot, groups and links among them. */
  readonly pagesTotal: number;
  readonly files: number;
}

export interface ExportResult {
  readonly spaces: number;
  /** Document pages of spaces: as many as Markdown files were made for them. */
  readonly pages: number;
  /** Attached files. */
  readonly files: number;
  readonly changeRequests: number;
  /** Attached files whose bytes are not in the mirror. */
  readonly missing: number;
  /** Files on disk that were written, left as they were, and dropped. */
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Size of all files but the lists at the root. */
  readonly bytes: number;
}

/**
 * Writes one snapshot as a tree of Markdown and files. The tree is built beside the target and takes its place as a whole; after an
 * error, an abort or a kill the last export is still there and the next run tidies up. Only changed files are written.
 * Throws DM_SNAPSHOT_UNKNOWN, DM_USAGE for a folder that holds something else, DM_DISK_FULL, DM_CHECK_FAILED for a damaged mirror.
 */
export async function exportSnapshot(options: ExportOptions): Promise<ExportResult> {
  // Throws for a snapshot that is not sealed.
  resolveSnapshot(options.mirror, options.snapshot);
  const places = await placesOf(options.to);
  await recover(places);
  await refuseForeign(places);
  try {
    return await buildAndSwap(options, places);
  } catch (error) {
    const known = toAppError(error);
    if (known.code !== 'DM_DISK_FULL') throw error;
    throw new AppError('DM_DISK_FULL', `The disk is full: the export to ${places.target} was not finished`, {
      hint: 'Free space there, or export to another disk; the last export was left as it is.',
      cause: error,
    });
  }
}

async function buildAndSwap(options: ExportOptions, places: Places): Promise<ExportResult> {
  const manifest = await readManifest(places.target);
  const previous = manifest === null ? new Map<string, string>() : await readSums(places.target, manifest);
  const trustedUntil = previous.size === 0 ? 0 : (await stat(join(places.target, SUMS))).mtimeMs;
  await using writer = new TreeWriter({ places, objects: options.mirror.objects, previous, trustedUntil });
  const totals = await putAll(options, writer);
  const removed = [...previous.keys()].filter((path) => !writer.hashes.has(path)).length;
  const sums = sumsText(writer.hashes);
  const text = describe(options, writer.hashes.size, sums);
  if (manifest !== null && writer.written === 0 && removed === 0) {
    await writeFileAtomic(join(places.target, MANIFEST), text, 0o666);
  } else {
    await writer.linkUnchanged();
    await assertWhole(writer, totals);
    await writeFile(join(places.building, SUMS), sums);
    await writeFile(join(places.building, MANIFEST), text);
    options.signal?.throwIfAborted();
    await swapIn(places);
  }
  const { spaces, pages, files, changeRequests, missing } = totals;
  const { written, unchanged, bytes } = writer;
  return { spaces, pages, files, changeRequests, missing, written, unchanged, removed, bytes };
}

async function putAll(
  { mirror, snapshot, onProgress, signal }: ExportOptions,
  writer: TreeWriter,
): Promise<ExportTotals> {
  const reader = readerAt(mirror, snapshot);
  const totals = newTotals();
  const pagesTotal = reader.count('page');
  for (const file of exportFiles(reader, totals)) {
    signal?.throwIfAborted();
    await writer.put(file);
    onProgress?.({ pages: totals.pages, pagesTotal, files: totals.files });
  }
  await writer.settle();
  return totals;
}

/** What should be there is counted apart from what was written: a page that got no file of its own is an error. */
async function assertWhole(writer: TreeWriter, totals: ExportTotals): Promise<void> {
  const found = await writer.count();
  const markdown = [...writer.hashes.keys()].filter((path) => path.endsWith('.md')).length;
  if (totals.pages === totals.expectedPages && found.files === writer.hashes.size && found.markdown === markdown)
    return;
  const seen = `${totals.pages} of ${totals.expectedPages} pages, ${found.files} of ${writer.hashes.size} files`;
  throw new AppError('DM_INTERNAL', `The export is not whole: ${seen} are on disk`, {
    hint: 'This is a fault in Docmirror, or somebody changed the folder meanwhile; run it again. The last export was left as it is.',
  });
}

function describe({ mirror, snapshot }: ExportOptions, files: number, sums: string): string {
  const { state, origin, started_at: snapshotAt } = resolveSnapshot(mirror, snapshot);
  const exportedAt = isoTime(mirror.clock.now());
  return manifestText({ format: 1, snapshot, state, origin, snapshotAt, exportedAt, files, sums: sha256(sums) });
}
