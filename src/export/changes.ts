// What has to be looked at: what changed in the mirror since the last export, and what changed on disk.
import { changedBetween, listSnapshots, mirrorIdentity, type Mirror, type Snapshot } from '../mirror/index.ts';
import type { ExportIndex } from './written/export-index.ts';
import type { FileState } from './written/index-rows.ts';
import type { FileLooks } from './files/file-looks.ts';
import type { Seen } from './files/look-at-files.ts';
import type { Manifest } from './written/manifest.ts';
import type { Pace } from './files/pace.ts';

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
  readonly looks: FileLooks;
  readonly pace: Pace;
}

const AT_ONCE = 500;

/** True when the export is as this snapshot wants it. */
export function isUnchanged({ all, resources, lostIn }: Changes): boolean {
  return !all && resources.size === 0 && lostIn.size === 0;
}

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

async function findLost({ index, looks, pace }: ChangesInput): Promise<Set<number>> {
  const lostIn = new Set<number>();
  let lost: FileState[] = [];
  const settle = (): void => {
    index.markLost(lost.map(([path]) => path));
    for (const [, space] of lost) lostIn.add(space);
    lost = [];
  };
  for (let rows = index.statesAfter('', AT_ONCE); rows.length > 0;) {
    const asked = rows;
    looks.look(
      asked.map(([path]) => path),
      (seen) => lost.push(...asked.filter((row, at) => !isSame(row, seen, at))),
    );
    await pace.rest();
    settle();
    rows = index.statesAfter(rows.at(-1)?.[0] ?? '', AT_ONCE);
  }
  await looks.settled();
  settle();
  return lostIn;
}

/** True when a file is there with the size and the time that it was written with. */
function isSame([, , size, mtime]: FileState, seen: Seen, at: number): boolean {
  return seen[2 * at] === size && seen[2 * at + 1] === mtime;
}
