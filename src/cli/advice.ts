import type { App } from '../app.ts';
import type { Config } from '../config/index.ts';
import {
  isAccepted,
  isOnlyNotFound,
  isRefusedIn,
  listAccepted,
  listShrunk,
  listSnapshots,
  snapshotById,
  warningOf,
  type Mirror,
  type Snapshot,
} from '../mirror/index.ts';
import type { Screen } from './screen.ts';
import { adviceFor } from './views/sync.ts';

type Settings = Pick<Config, 'flags'>;

/** Lines on what to do about a snapshot; none for one that is complete or that a person accepted. */
export function adviceOn(mirror: Mirror, snapshot: Snapshot, { flags }: Settings): string[] {
  const accepted = listAccepted(mirror).find((one) => one.snapshot === snapshot.id);
  if (accepted) return [`  accepted: ${accepted.reason}; later snapshots are measured by this one`];
  const good = listSnapshots(mirror).findLast(
    ({ id, state }) => id < snapshot.id && (state === 'complete' || isAccepted(mirror, id)),
  );
  const lostRights = listShrunk(mirror).length > 0;
  return adviceFor(snapshot, {
    good: good?.id ?? null,
    lostRights,
    isRefused: isRefusedIn(mirror, snapshot.id),
    isNotFound: isOnlyNotFound(mirror, snapshot.id),
    flags,
  });
}

/** What whoever reads a snapshot must know of it; null when there is nothing. */
export function doubtIn(mirror: Mirror, id: number, { flags }: Settings): string | null {
  const warning = warningOf(mirror, snapshotById(mirror, id));
  return warning === null ? null : warning + flags;
}

/** Says so on stderr. */
export async function noteDoubt(app: App, screen: Screen, snapshot: number): Promise<void> {
  using mirror = app.reader();
  const note = doubtIn(mirror, snapshot, app.config);
  if (note !== null) await screen.note(note);
}

/** The same of the snapshot that a restore was made of. */
export async function noteSource(screen: Screen, { doubt }: { readonly doubt: string | null }): Promise<void> {
  if (doubt === null) return;
  await screen.note(
    `${doubt.charAt(0).toUpperCase()}${doubt.slice(1)}. What was not read came back as it was read before, or not at all`,
  );
}
