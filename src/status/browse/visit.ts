// One look into the mirror at one snapshot.
import {
  listSnapshots,
  readerAt,
  resolveSnapshot,
  type Mirror,
  type Snapshot,
  type SnapshotReader,
} from '../../mirror/index.ts';
import type { Named } from '../named.ts';

export interface Visit {
  readonly mirror: Mirror;
  readonly named: Named;
  readonly snapshot: Snapshot;
  readonly reader: SnapshotReader;
  /** `?at=N` when a snapshot was chosen, so that links stay in it; nothing at the last one. */
  readonly query: string;
  /** Sealed snapshots, newest first. */
  readonly sealed: readonly Snapshot[];
  /** Path that was asked for, without its query. */
  readonly path: string;
}

interface Asked {
  readonly at: string;
  readonly path: string;
  readonly named: Named;
}

/** Throws DM_SNAPSHOT_UNKNOWN, DM_NO_SNAPSHOT. */
export function openVisit(mirror: Mirror, { at, path, named }: Asked): Visit {
  const snapshot = resolveSnapshot(mirror, at === '' ? 'latest' : at);
  return {
    mirror,
    named,
    snapshot,
    reader: readerAt(mirror, snapshot.id, { damaged: 'empty' }),
    query: at === '' || at === 'latest' ? '' : `?at=${snapshot.id}`,
    sealed: listSnapshots(mirror)
      .filter(({ manifest_hash: hash }) => hash !== null)
      .toReversed(),
    path,
  };
}
