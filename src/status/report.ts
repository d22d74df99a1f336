// What a documentation owner wants to know, from the last sealed snapshot.
import {
  diffSnapshots,
  lastSealed,
  listSnapshots,
  readerAt,
  runQuery,
  type Difference,
  type Mirror,
  type Snapshot,
  type SnapshotReader,
} from '../mirror/index.ts';

export interface SpaceSize {
  readonly title: string;
  readonly pages: number;
  readonly characters: number;
}

export interface Report {
  readonly snapshot: Snapshot;
  readonly spaces: readonly SpaceSize[];
  /** Number of the sealed snapshot that it is compared with; null when it is the first. */
  readonly since: number | null;
  readonly changes: readonly Difference[];
  /** There are more changes than are listed. */
  readonly moreChanges: boolean;
}

const SPACES = 25;
const CHANGES = 100;

/** Null when no snapshot is sealed yet. */
export function readReport(mirror: Mirror): Report | null {
  const snapshot = lastSealed(mirror);
  if (!snapshot) return null;
  const sealed = listSnapshots(mirror).filter((row) => row.id < snapshot.id && row.manifest_hash !== null);
  const since = sealed.at(-1)?.id ?? null;
  const found: Difference[] = [];
  if (since !== null) {
    for (const change of diffSnapshots(mirror, [since, snapshot.id])) {
      if (change.kind === 'revision' || change.kind === 'change-request-revision') continue;
      found.push(change);
      if (found.length > CHANGES) break;
    }
  }
  return {
    snapshot,
    spaces: largestSpaces(mirror, readerAt(mirror, snapshot.id)),
    since,
    changes: found.slice(0, CHANGES),
    moreChanges: found.length > CHANGES,
  };
}

const BY_SPACE = `select space, count(*), coalesce(sum(length(markdown)), 0) from pages group by space order by 3 desc limit ${SPACES}`;

function largestSpaces(mirror: Mirror, reader: SnapshotReader): SpaceSize[] {
  return runQuery(mirror.dataDir, BY_SPACE, reader.snapshot).rows.map(([space, pages, characters]) => {
    const title = reader.one('space', String(space))?.body['title'];
    return { title: String(title ?? space), pages: Number(pages), characters: Number(characters) };
  });
}
