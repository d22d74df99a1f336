import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  AppError,
  isoTime,
  namingFolder,
  toAppError,
  whyFull,
  writeFileAtomic,
  type Environment,
} from '../base/index.ts';
import { mirrorIdentity, readerAt, readFigures, resolveSnapshot, type Mirror } from '../mirror/index.ts';
import { isOwn, linkForeign, linkKept, refuseOverwriting, type Assembly } from './assemble.ts';
import { findChanges } from './changes.ts';
import { updateFiles } from './export-files.ts';
import { ExportIndex, INDEX } from './written/export-index.ts';
import { FileLooks } from './files/file-looks.ts';
import type { GitPlace } from './git/git.ts';
import { commitTree, gitPlaceOf, listCheckedOut, refuseWithoutGit } from './git/git-history.ts';
import { GIT_LINK, gitFolderOf, gitLinkText } from './git/git-place.ts';
import { MANIFEST, manifestText, readManifest, SUMS, type Manifest } from './written/manifest.ts';
import { Pace } from './files/pace.ts';
import { hashOfFile, readSums, stampOf, writeSums } from './written/sums.ts';
import { holdPlace, placesOf, recover, refuseForeign, swapIn, unmade, type Places } from './files/swap.ts';
import { outcomeOf, tellingOutcome } from './outcome.ts';
import { openTreeFiles } from './files/tree-files.ts';
import { TreeWriter } from './files/tree-writer.ts';
import { countFiles, removeFolder } from './files/walk-files.ts';

export interface ExportOptions {
  readonly mirror: Mirror;
  /** Number of a sealed snapshot. */
  readonly snapshot: number;
  /** Folder of the export: not there, empty, or an earlier export. */
  readonly to: string;
  /** A new folder can be entered by this user only; else the mask decides. An earlier export keeps the mode that it has. */
  readonly ownOnly?: boolean;
  /** Commits the tree to a git repository beside the folder, with this environment for git. */
  readonly git?: Environment;
  readonly onProgress?: (progress: ExportProgress) => void;
  readonly signal?: AbortSignal;
}

/** Called now and then. */
export interface ExportProgress {
  readonly pages: number;
  /** Pages of the whole snapshot, groups and links among them. */
  readonly pagesTotal: number;
  readonly files: number;
}

export interface ExportResult {
  readonly spaces: number;
  /** Document pages of spaces: as many as Markdown files are there for them. */
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
  /** Files in the folder that are not of the export; they were left where they are. 0 when nothing was looked for. */
  readonly foreign: number;
  /** Id of the commit that was made; null when git was not asked for or nothing changed. */
  readonly commit: string | null;
  /** Size of all files but the lists at the root. */
  readonly bytes: number;
}

/**
 * Writes one snapshot as a tree of Markdown and files. The tree is built beside the target and takes its place as a whole; after an
 * error, an abort or a kill the last export is still there and the next run tidies up. Only what changed is made and written; when
 * nothing did, the tree is left alone. Files that are not of the export stay in it.
 * Throws DM_SNAPSHOT_UNKNOWN, DM_USAGE for a folder that holds something else, DM_ALREADY_RUNNING while another export goes there,
 * DM_DISK_FULL, DM_CHECK_FAILED for a damaged mirror, DM_GIT_FAILED when the export is in its place and git could not record it.
 */
export async function exportSnapshot(options: ExportOptions): Promise<ExportResult> {
  // Throws for a snapshot that is not sealed.
  resolveSnapshot(options.mirror, options.snapshot);
  const places = await placesOf(options.to);
  try {
    using _place = holdPlace(places);
    return await exportInto(places, options);
  } catch (error) {
    throw tellingFull(error, places);
  }
}

async function exportInto(places: Places, options: ExportOptions): Promise<ExportResult> {
  const pace = new Pace(options.signal);
  await recover(places, pace);
  await refuseForeign(places);
  const git = options.git ? gitPlaceOf(places.target, options.git) : undefined;
  if (git) await refuseWithoutGit(git);
  try {
    const exported = await buildAndSwap(options, { ...places, git, pace }).catch((error: unknown) => {
      throw tellingOutcome(error, places);
    });
    return git ? { ...exported, commit: await commitExport(options, git) } : exported;
  } catch (error) {
    await removeFolder(places.building, new Pace(undefined));
    throw error;
  }
}

/** A full disk of the export, which need not be that of the data directory; errors of ours name their own place. */
function tellingFull(error: unknown, places: Places): unknown {
  const { target } = places;
  if (error instanceof AppError) return error;
  const named = namingFolder(error, { folder: dirname(target), called: 'folder' });
  if (toAppError(named).code !== 'DM_DISK_FULL') return error;
  return new AppError('DM_DISK_FULL', `The export to ${target} was not finished: ${whyFull(named)}`, {
    hint: `Mend that, or export to another disk. ${outcomeOf(places)}`,
    cause: error,
  });
}

interface Surroundings extends Places {
  readonly git: GitPlace | undefined;
  readonly pace: Pace;
}

async function buildAndSwap(options: ExportOptions, places: Surroundings): Promise<ExportResult> {
  const { mirror, snapshot } = options;
  const { git, pace } = places;
  const { ownOnly = false } = options;
  makeFolder(places, ownOnly);
  const manifest = await readManifest(places.target);
  await using looks = new FileLooks({ folder: places.target, files: manifest?.files ?? 0 });
  using index = openIndex(places, ownOnly);
  if (index.told.sums !== undefined || (await readFormer(index, places, manifest))) index.noteNewcomers();
  const isUntouched = await hasLists(places, index, manifest);
  if (git && !isUntouched) await listCheckedOut(git, (path) => isOwn(path) || index.addFormerly(path));
  await using writer = new TreeWriter({ building: places.building, objects: mirror.objects, index });
  const changes = await findChanges({ mirror, snapshot, index, manifest, looks, pace });
  const reader = readerAt(mirror, snapshot);
  const pagesTotal = pagesOf(mirror, snapshot);
  if (changes.all) writer.expect(pagesTotal);
  const onProgress = (seen: Omit<ExportProgress, 'pagesTotal'>) => options.onProgress?.({ ...seen, pagesTotal });
  await updateFiles({ reader, index, writer, changes, pace, onProgress });
  await writer.settled();
  const totals = index.totals();
  if (totals.pages !== totals.documents) throw notWhole(`${totals.pages} of ${totals.documents} pages`);
  const isSame = writer.written === 0 && totals.removed === 0 && isUntouched;
  const foreign = isSame ? 0 : await assemble({ places, index, writer, pace });
  const sumsBefore = isSame ? (manifest?.sums ?? '') : null;
  await takePlace(options, { places, index, pace, files: totals.all, sumsBefore });
  const { spaces, pages, files, requests: changeRequests, missing, removed, bytes } = totals;
  const { written } = writer;
  const unchanged = totals.all - written;
  return { spaces, pages, files, changeRequests, missing, written, unchanged, removed, foreign, bytes, commit: null };
}

interface Built extends Pick<Assembly, 'places' | 'index' | 'pace'> {
  /** How many files it has, without the lists at its root. */
  readonly files: number;
  /** Sum of the list of sums of the last export, where nothing changed since; null where there is a new tree. */
  readonly sumsBefore: string | null;
}

/** Describes the tree and puts it in the place of the last one; where nothing changed, only the lists at its root are exchanged. */
async function takePlace(options: ExportOptions, { places, index, pace, files, sumsBefore }: Built): Promise<void> {
  const { building, target } = places;
  const sums = sumsBefore ?? (await writeSums(index, pace, join(building, SUMS)));
  const manifest = describe(options, { files, sums });
  const list = stampOf(join(sumsBefore === null ? building : target, SUMS)) ?? '';
  index.setMeta({ snapshot: String(options.snapshot), sums, list });
  index.close();
  options.signal?.throwIfAborted();
  if (sumsBefore !== null) return putLists(places, manifest);
  writeFileSync(join(building, MANIFEST), manifest);
  if (existsSync(gitFolderOf(target))) writeFileSync(join(building, GIT_LINK), gitLinkText(target));
  await swapIn(places, new Pace(undefined));
}

/** Counted when the snapshot was sealed, unless an older version did that. */
function pagesOf(mirror: Mirror, snapshot: number): number {
  return readFigures(mirror, snapshot)['held:page'] ?? readerAt(mirror, snapshot).count('page');
}

/** Others may enter the new tree where they may enter the one whose place it takes. */
function makeFolder({ building, target }: Places, ownOnly: boolean): void {
  try {
    mkdirSync(building, ownOnly ? { mode: 0o700 } : {});
  } catch (error) {
    throw unmade(target, error);
  }
  if (existsSync(target)) chmodSync(building, statSync(target).mode & 0o7777);
}

async function commitExport({ mirror, snapshot }: ExportOptions, place: GitPlace): Promise<string | null> {
  const { started_at: at, state } = resolveSnapshot(mirror, snapshot);
  using files = openTreeFiles(place.target);
  return await commitTree(place, files, { snapshot, at, state });
}

/** The index of the last export as a copy to work on; a new one when there is none that can be read. */
function openIndex({ target, building }: Places, ownOnly: boolean): ExportIndex {
  const path = join(building, INDEX);
  const last = join(target, INDEX);
  if (existsSync(last)) {
    copyIndex(last, path, ownOnly);
    try {
      return new ExportIndex(path, ownOnly);
    } catch {
      // It only saves work: without it everything is made again.
      for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
    }
  }
  return new ExportIndex(path, ownOnly);
}

/** A copy has the mode of the file it is made of; beside files that the mask decides about it is as open as a new one would be. */
function copyIndex(last: string, path: string, ownOnly: boolean): void {
  writeFileSync(path, '', { mode: ownOnly ? 0o600 : 0o666 });
  const { mode } = statSync(path);
  copyFileSync(last, path, constants.COPYFILE_FICLONE);
  if (!ownOnly) chmodSync(path, mode & 0o7777);
}

/** What an export without an index has written is known by its list; false when that tells nothing. */
async function readFormer(
  index: ExportIndex,
  { target }: Places,
  manifest: Partial<Manifest> | null,
): Promise<boolean> {
  const list = join(target, SUMS);
  if (manifest === null || (await hashOfFile(list)) !== manifest.sums) return false;
  for await (const { path } of readSums(list)) index.addFormer([path]);
  return true;
}

/** True when the list of sums is still the one that was written. It is read only when it does not look like it. */
async function hasLists(
  { target }: Places,
  { told }: ExportIndex,
  manifest: Partial<Manifest> | null,
): Promise<boolean> {
  const list = join(target, SUMS);
  if (manifest?.sums === undefined) return false;
  if (told.sums === manifest.sums && told.list === stampOf(list)) return true;
  return (await hashOfFile(list)) === manifest.sums;
}

/** Fills the new tree up with what stays; answers how many files in it are not of the export. */
async function assemble(assembly: Assembly): Promise<number> {
  const { places, index, pace } = assembly;
  await linkKept(assembly);
  const foreign = existsSync(places.target) ? await linkForeign(assembly) : 0;
  await refuseOverwriting(assembly);
  const found = (await countFiles(places.building, pace, (name) => !isOwn(name))) - foreign;
  const { all } = index.totals();
  if (found !== all) throw notWhole(`${found} of ${all} files`);
  return foreign;
}

// The tree stays; what the index says of it must never be older than what the manifest says.
async function putLists({ target, building }: Places, manifest: string): Promise<void> {
  renameSync(join(building, INDEX), join(target, INDEX));
  await writeFileAtomic(join(target, MANIFEST), manifest, 0o666);
  await removeFolder(building, new Pace(undefined));
}

function notWhole(seen: string): AppError {
  return new AppError('DM_INTERNAL', `The export is not whole: ${seen} are on disk`, {
    hint: 'This is a fault in Docmirror, or somebody changed the folder meanwhile; run it again.',
  });
}

function describe({ mirror, snapshot }: ExportOptions, content: Pick<Manifest, 'files' | 'sums'>): string {
  const { state, origin, started_at: snapshotAt, sealed_at: sealedAt } = resolveSnapshot(mirror, snapshot);
  const exportedAt = isoTime(mirror.clock.now());
  const where = { mirror: mirrorIdentity(mirror), snapshot, state, origin };
  return manifestText({ format: 1, ...where, snapshotAt, sealedAt, exportedAt, ...content });
}
