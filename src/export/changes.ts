// What has to be looked at: what changed in the mirror since the last export, and what changed on disk.
import { statSync } from 'node:fs';
import { sep } from 'node:path';
import { changedBetween, listSnapshots, mirrorIdentity, type Mirror, type Snapshot } from '../mirror/index.ts';
import type { ExportIndex, FileRow } from './export-index.ts';
import type { Manifest } from './manifest.ts';
import type { Pace } from './pace.ts';

export interface Changes {
  /** Nothing is known of the last export, or it was made in another way: everything is made again. */
  readonly all: boolean;
  /** Numbers of resources that differ, and ids of the spaces that they belong to. */
  readonly resources: ReadonlySet<number>;
  readonly spaces: ReadonlySet<string>;
  /** Numbers of the spaces of which a file is not on disk as it was written. */
  readonly lostIn: ReadonlySet<number>;
}

export interface ChangesInput {
  readonly mirror: Mirror;
  readonly snapshot: number;
  readonly index: ExportIndex;
  /** Of the last export; null when there is none. */
  readonly manifest: Partial<Manifest> | null;
  readonly target: string;
  readonly pace: Pace;
}

const AT_ONCE = 1000;

/** Compares the index with the mirror, by the versions that began and ended since, and with the disk, file by file. */
export async function findChanges(input: ChangesInput): Promise<Changes> {
  const { mirror, snapshot, index } = input;
  const lostIn = await findLost(input);
  const last = lastSnapshot(input);
  const resources = new Set<number>();
  const spaces = new Set<string>();
  if (last === undefined) return { all: true, resources, spaces, lostIn };
  for (const { rid, space } of changedBetween(mirror, last.id, snapshot)) {
    resources.add(rid);
    if (space !== null) spaces.add(space);
  }
  return { all: !index.isSameRendering, resources, spaces, lostIn };
}

/** The snapshot of the last export, when the mirror still has this very one and the index was written for it. */
function lastSnapshot({ mirror, index, manifest }: ChangesInput): Snapshot | undefined {
  if (manifest === null || manifest.mirror !== mirrorIdentity(mirror)) return undefined;
  if (index.told.sums !== manifest.sums || index.told.snapshot !== String(manifest.snapshot)) {
    return undefined;
  }
  return listSnapshots(mirror).find(
    ({ id, origin, started_at: begun, sealed_at: sealed }) =>
      id === manifest.snapshot &&
      origin === manifest.origin &&
      begun === manifest.snapshotAt &&
      sealed === manifest.sealedAt,
  );
}

async function findLost({ index, target, pace }: ChangesInput): Promise<Set<number>> {
  const lostIn = new Set<number>();
  for (let rows = index.statesAfter('', AT_ONCE); rows.length > 0;) {
    const lost = rows.filter((row) => !isOnDisk(target, row));
    index.markLost(lost.map(({ path }) => path));
    for (const { space } of lost) lostIn.add(space);
    await pace.rest();
    rows = index.statesAfter(rows.at(-1)?.path ?? '', AT_ONCE);
  }
  return lostIn;
}

/** True when a file is there with the size and the time that it was written with. */
export function isOnDisk(target: string, { path, size, mtime }: Pick<FileRow, 'path' | 'size' | 'mtime'>): boolean {
  // Joined by hand: this is asked of every file every night, and `join` takes a tenth of it.
  const found = statSync(target + sep + path, { throwIfNoEntry: false });
  return found !== undefined && found.size === size && found.mtimeMs === mtime && found.isFile();
}
