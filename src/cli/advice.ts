import type { App } from '../app.ts';
import type { Config } from '../config/index.ts';
import {
  acceptedOf,
  isAccepted,
  isOnlyNotFound,
  isRefusedIn,
  listShrunk,
  listSnapshots,
  snapshotById,
  unacceptable,
  warningOf,
  type Accepted,
  type Mirror,
  type Snapshot,
} from '../mirror/index.ts';
import type { Screen } from './screen.ts';
import { adviceFor } from './views/sync.ts';
import { oneLine } from './views/text.ts';

type Settings = Pick<Config, 'flags'>;

/** Lines on what to do about a snapshot; none for one that is complete. */
export function adviceOn(mirror: Mirror, snapshot: Snapshot, { flags }: Settings): string[] {
  const accepted = acceptedOf(mirror, snapshot.id);
  if (accepted !== null) return [acceptedLine(snapshot, accepted)];
  const good = listSnapshots(mirror).findLast(
    ({ id, state }) => id < snapshot.id && (state === 'complete' || isAccepted(mirror, id)),
  );
  const lostRights = listShrunk(mirror).length > 0;
  return adviceFor(snapshot, {
    good: good?.id ?? null,
    lostRights,
    isRefused: isRefusedIn(mirror, snapshot.id),
    isNotFound: isOnlyNotFound(mirror, snapshot.id),
    mayBeAccepted: unacceptable(mirror, snapshot.id) === null,
    flags,
  });
}

function acceptedLine({ state }: Snapshot, { reason, at }: Accepted): string {
  const why = oneLine(reason);
  if (state === 'suspect') return `  accepted: ${why}; later snapshots are measured by this one`;
  return `  accepted on ${at.slice(0, 10)}: ${why}; nothing else lacks, so it counts as complete`;
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
