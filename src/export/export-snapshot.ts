import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, namingFolder, toAppError, whyFull, type Environment, type ErrorCode } from '../base/index.ts';
import { readerAt, readerByIds, readFigures, resolveSnapshot, type Mirror } from '../mirror/index.ts';
import { isOwn, linkForeign, linkKept, refuseOverwriting, type Assembly } from './assemble.ts';
import { findChanges } from './changes.ts';
import { updateFiles, type DoneSoFar } from './export-files.ts';
import type { ExportIndex } from './written/export-index.ts';
import { FileLooks } from './files/file-looks.ts';
import type { GitPlace } from './git/git.ts';
import { commitTree, gitPlaceOf, listCheckedOut, refuseWithoutGit } from './git/git-history.ts';
import { hasIndex, hasSums, openIndex, readFormer } from './written/last-export.ts';
import { readManifest, type Manifest } from './written/manifest.ts';
import { Pace } from './files/pace.ts';
import { holdPlace, placesOf, recover, refuseForeign, unmade, type Places } from './files/swap.ts';
import { changedByOthers, outcomeOf, tellingLostIndex, tellingOutcome, tellingRefused } from './outcome.ts';
import { takePlace } from './take-place.ts';
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
export interface ExportProgress extends Readonly<DoneSoFar> {
  /** Pages of the whole snapshot, groups and links among them. */
  readonly pagesTotal: number;
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
    throw tellingRefused(tellingFull(error, places), places);
  }
}

async function exportInto(places: Places, options: ExportOptions): Promise<ExportResult> {
  const pace = new Pace(options.signal);
  await recover(places, pace);
  await refuseForeign(places);
  const git = options.git ? gitPlaceOf(places.target, options.git) : undefined;
  if (git) await refuseWithoutGit(git);
  try {
    const exported = await buildByIndex(options, { ...places, git, pace }).catch((error: unknown) => {
      throw tellingOutcome(tellingLostIndex(tellingFull(error, places), places), places);
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
    hint: `Mend that (files may have run out too: df -i), or export to another disk. ${outcomeOf(places)}`,
    cause: error,
  });
}

interface Surroundings extends Places {
  readonly git: GitPlace | undefined;
  readonly pace: Pace;
  /** The index of the last export cannot be worked with: everything is made again. */
  readonly isIndexLost?: true;
}

/** What a damaged index ends in: an error of SQLite, or one that nothing but a fault of ours else explains. */
const BY_INDEX: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['DM_DATABASE_DAMAGED', 'DM_INTERNAL']);

/** The index only saves work: where it turns out to be damaged on the way, the export begins anew without it. */
async function buildByIndex(options: ExportOptions, places: Surroundings): Promise<ExportResult> {
  try {
    return await buildAndSwap(options, places);
  } catch (error) {
    // What has another cause is met again, but for what somebody took away meanwhile.
    if (!BY_INDEX.has(toAppError(error).code) || !hasIndex(places)) throw error;
    await removeFolder(places.building, places.pace);
    return buildAndSwap(options, { ...places, isIndexLost: true });
  }
}

/** Makes the new tree beside the last one, and puts it in its place. */
async function buildAndSwap(options: ExportOptions, places: Surroundings): Promise<ExportResult> {
  const { pace } = places;
  makeFolder(places, options.ownOnly === true);
  const manifest = await readManifest(places.target);
  await using looks = new FileLooks({ folder: places.target, files: manifest?.files ?? 0 });
  using index = openIndex(places, { ownOnly: options.ownOnly === true, anew: places.isIndexLost === true });
  const isUntouched = await learnLast(places, index, manifest);
  await using writer = new TreeWriter({ building: places.building, objects: options.mirror.objects, index });
  await writeChanges(options, { index, manifest, looks, writer, pace });
  const totals = index.totals();
  if (totals.pages !== totals.documents) throw notWhole(totals);
  const { written } = writer;
  const isSame = written === 0 && totals.removed === 0 && isUntouched;
  const foreign = isSame ? 0 : await assemble({ places, index, writer, pace });
  const sumsBefore = isSame ? (manifest?.sums ?? '') : null;
  await takePlace(options, { places, index, pace, files: totals.all, sumsBefore });
  const { spaces, pages, files, requests: changeRequests, missing, removed, bytes } = totals;
  const unchanged = totals.all - written;
  return { spaces, pages, files, changeRequests, missing, written, unchanged, removed, foreign, bytes, commit: null };
}

/** Puts into the index which files the last export wrote; true when its list of them is still the one that was written. */
async function learnLast(
  places: Surroundings,
  index: ExportIndex,
  manifest: Partial<Manifest> | null,
): Promise<boolean> {
  const { target, git } = places;
  if (index.told.sums !== undefined || (await readFormer(index, target, manifest))) index.noteNewcomers();
  const isUntouched = await hasSums(index, target, manifest);
  if (git && !isUntouched) await listCheckedOut(git, (path) => isOwn(path) || index.addFormerly(path));
  return isUntouched;
}

interface Writing {
  readonly index: ExportIndex;
  readonly manifest: Partial<Manifest> | null;
  readonly looks: FileLooks;
  readonly writer: TreeWriter;
  readonly pace: Pace;
}

/** Writes what the snapshot has otherwise than the last export, and waits until it is on disk. */
async function writeChanges(options: ExportOptions, { manifest, looks, ...writing }: Writing): Promise<void> {
  const { mirror, snapshot } = options;
  const { index, writer, pace } = writing;
  const changes = await findChanges({ mirror, snapshot, index, manifest, looks, pace });
  const pagesTotal = pagesOf(mirror, snapshot);
  if (changes.all) writer.expect(pagesTotal);
  const onProgress = (seen: Readonly<DoneSoFar>) => options.onProgress?.({ ...seen, pagesTotal });
  await updateFiles({ reader: readerByIds(mirror, snapshot), changes, onProgress, ...writing });
  await writer.settled();
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

/** Fills the new tree up with what stays; answers how many files in it are not of the export. */
async function assemble(assembly: Assembly): Promise<number> {
  const { places, index, pace } = assembly;
  await linkKept(assembly);
  const foreign = existsSync(places.target) ? await linkForeign(assembly) : 0;
  await refuseOverwriting(assembly);
  const found = (await countFiles(places.building, pace, (name) => !isOwn(name))) - foreign;
  const { all } = index.totals();
  if (found !== all) throw changedByOthers(`${found} of ${all} files`, places);
  return foreign;
}

function notWhole({ pages, documents }: Pick<ReturnType<ExportIndex['totals']>, 'pages' | 'documents'>): AppError {
  return new AppError('DM_INTERNAL', `The export is not whole: ${pages} of ${documents} pages were written`, {
    hint: 'This is a fault in Docmirror, or somebody changed the last export meanwhile; run it again.',
  });
}
