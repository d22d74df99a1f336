// Whether it is enough to read a few spaces again, of a platform of which the rest is mirrored.
import { isRecord } from '../../base/index.ts';
import { ApiError, type ApiClient } from '../../client/index.ts';
import { isSealed, lastSealed, listSnapshots, openedSnapshot, readerAt, type Mirror } from '../../mirror/index.ts';

interface Wanted {
  readonly mirror: Mirror;
  readonly client: ApiClient;
  /** Those that matter; null where everything does. */
  readonly spaces: readonly string[] | null;
  readonly signal: AbortSignal;
  /** How many spaces there must be for each that is read. */
  readonly least?: number;
}

// Each space that is named costs some requests of its own, and in a quiet night of everything less than one.
const LEAST = 4;

/** The same spaces where they stand as they were mirrored; null where everything is to be read, since only that tells what became of them. */
export async function enoughToRead({ spaces, least = LEAST, ...from }: Wanted): Promise<readonly string[] | null> {
  if (spaces === null || !isWorthwhile(from.mirror, spaces.length * least)) return null;
  for (const spaceId of spaces) if (!(await stands(from, spaceId))) return null;
  return spaces;
}

function isWorthwhile(mirror: Mirror, least: number): boolean {
  const last = lastSealed(mirror);
  // A walk of everything that was cut off goes on: a limited one would give it up.
  if (last === undefined || openedSnapshot(mirror)?.scope === null) return false;
  const isMirrored = listSnapshots(mirror).some((one) => one.scope === null && isSealed(one));
  return isMirrored && readerAt(mirror, last.id).count('space') >= least;
}

async function stands({ mirror, client, signal }: Omit<Wanted, 'spaces'>, spaceId: string): Promise<boolean> {
  const known = readerAt(mirror, lastSealed(mirror)?.id ?? 0).one('space', spaceId);
  if (known === undefined) return false;
  try {
    const now = await client.callRaw('getSpace', { path: { spaceId } }, { signal });
    return isRecord(now) && PLACE.every((field) => (now[field] ?? null) === (known.body[field] ?? null));
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** One that was deleted, moved or transferred is told of by what holds it too. */
const PLACE = ['organization', 'parent', 'deletedAt'] as const;
