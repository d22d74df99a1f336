// One look into the mirror at one snapshot.
import {
  listSnapshots,
  readerAt,
  resolveSnapshot,
  type Mirror,
  type Snapshot,
  type SnapshotReader,
} from '../../mirror/index.ts';

export interface Visit {
  readonly mirror: Mirror;
  readonly snapshot: Snapshot;
  readonly reader: SnapshotReader;
  /** `?at=N` when a snapshot was chosen, so that links stay in it; nothing at the last one. */
  readonly query: string;
  /** Sealed snapshots, newest first. */
  readonly sealed: readonly Snapshot[];
  /** Path that was asked for, without its query. */
  readonly path: string;
}

/** Throws DM_SNAPSHOT_UNKNOWN, DM_NO_SNAPSHOT. */
export function openVisit(mirror: Mirror, { at, path }: { at: string; path: string }): Visit {
  const snapshot = resolveSnapshot(mirror, at === '' ? 'latest' : at);
  return {
    mirror,
    snapshot,
    reader: readerAt(mirror, snapshot.id, { damaged: 'empty' }),
    query: at === '' || at === 'latest' ? '' : `?at=${snapshot.id}`,
    sealed: listSnapshots(mirror)
      .filter(({ manifest_hash: hash }) => hash !== null)
      .toReversed(),
    path,
  };
}
