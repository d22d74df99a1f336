import type { Mirror } from '../database/database.ts';
import { isAccepted } from './accepted.ts';
import type { Snapshot } from './snapshots.ts';

/** What whoever reads a snapshot must know of it; null when there is nothing. Ends with a command, for flags to follow. */
export function warningOf(mirror: Mirror, { id, state, reason }: Snapshot): string | null {
  if ((state !== 'partial' && state !== 'suspect') || isAccepted(mirror, id)) return null;
  return `Snapshot ${id} is ${state}${reason === null ? '' : `: ${reason}`}. See docmirror snapshots show ${id}`;
}
