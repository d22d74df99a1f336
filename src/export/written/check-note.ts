// What an export says of itself, compared with the mirror: it is what tells readers of which night the tree is.
import { listSnapshots, mirrorIdentity, type Mirror, type Snapshot } from '../../mirror/index.ts';
import { exportProblem, type ExportProblem } from './export-problem.ts';
import { MANIFEST, readManifest, type Manifest } from './manifest.ts';

/**
 * Compares the note of an export with the snapshot that it names; nothing where it is of another mirror, or of a snapshot that was
 * forgotten since. Throws what is thrown for a damaged database.
 */
export async function checkNote(to: string, mirror: Mirror): Promise<ExportProblem[]> {
  const note = await readManifest(to);
  if (note?.snapshot === undefined || note.mirror !== mirrorIdentity(mirror)) return [];
  // Read after the note: a snapshot that is sealed and exported meanwhile is among them.
  const snapshots = listSnapshots(mirror);
  const named = snapshots.find(({ id }) => id === note.snapshot);
  const why = named === undefined ? unknown(note.snapshot, snapshots) : differing(note, named);
  return why === null ? [] : [{ ...exportProblem(MANIFEST, why), heals: true }];
}

function unknown(number: number, snapshots: readonly Snapshot[]): string | null {
  const newest = snapshots.at(-1)?.id ?? 0;
  if (number <= newest) return null;
  return `it says that this is snapshot ${number}, and the newest in mirror.db is ${newest === 0 ? 'none' : newest}`;
}

function differing(
  note: Partial<Manifest>,
  { id, state, origin, started_at: at, sealed_at: sealed }: Snapshot,
): string | null {
  const pairs = [
    ['state', note.state, state],
    ['origin', note.origin, origin],
    ['snapshotAt', note.snapshotAt, at],
    ['sealedAt', note.sealedAt, sealed],
  ] as const;
  const other = pairs.find(([, told, kept]) => told !== kept);
  if (other === undefined) return null;
  const [name, told, kept] = other;
  return `it says of snapshot ${id} that ${name} is ${JSON.stringify(told)}, and in mirror.db it is ${JSON.stringify(kept)}`;
}
