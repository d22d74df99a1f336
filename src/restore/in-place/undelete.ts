// Spaces that stand in the platform's bin: the API document gives them seven days there (section "Spaces", delete and restore).
import { isRecord, type Clock } from '../../base/index.ts';
import type { ApiClient } from '../../client/index.ts';
import { deletedSpaces, readerAt, UNDELETE_MS, type Mirror, type Resource } from '../../mirror/index.ts';
import { unlessUnreadable } from '../answers.ts';
import { isInBin, textAt, type Body } from '../resource.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export interface Deleted {
  /** The space as it was when it was deleted; as it was last seen, where the bin does not show it. */
  readonly body: Body;
  /** Milliseconds that are left; at most, where the bin does not show it. */
  readonly leftMs: number;
  /** False where the platform says only that the space is not there: whether it comes out of the bin shows when that is tried. */
  readonly isShown: boolean;
}

interface Asking {
  readonly client: ApiClient;
  readonly clock: Clock;
  /** What the bin may have without showing it. */
  readonly unshown: ReadonlyMap<string, Deleted>;
}

/** Which of the spaces are in the bin, or may be, and can still come out of it, by their ids. */
export async function spacesInBin(
  { client, clock, unshown }: Asking,
  spaces: readonly Resource[],
): Promise<Map<string, Deleted>> {
  const found = new Map<string, Deleted>();
  for (const { id } of spaces) {
    // What was purged, or is out of reach, is in no bin.
    const body = await unlessUnreadable(client.callRaw('getSpace', { path: { spaceId: id } }));
    const deleted = isRecord(body) && isInBin(body) ? shown(body, clock.now()) : unshown.get(id);
    if (deleted !== undefined && deleted.leftMs > 0) found.set(id, deleted);
  }
  return found;
}

function shown(body: Body, now: number): Deleted {
  return { body, leftMs: Date.parse(textAt(body, 'deletedAt') ?? '') + UNDELETE_MS - now, isShown: true };
}

/** Spaces of which the platform, which the mirror has walked just now, says only that they are not there, since fewer days than its bin keeps them. */
export function unshownInBin(mirror: Mirror, now: number): Map<string, Deleted> {
  const found = new Map<string, Deleted>();
  for (const { id, deletedAt, lastSeen, leftMs } of deletedSpaces(mirror, now)) {
    const body = readerAt(mirror, lastSeen).one('space', id)?.body;
    if (deletedAt === null && body !== undefined) found.set(id, { body, leftMs, isShown: false });
  }
  return found;
}

/**
 * What a plan says of a space that comes out of the bin.
 * @param elsewhere Title of another organization, in whose bin it is.
 */
export function undeleteNote({ leftMs, isShown }: Deleted, elsewhere?: string): string {
  const undelete = elsewhere === undefined ? 'undelete' : `undelete from organization ${elsewhere}`;
  const keeps =
    'keeps its ids and everything in it, as it was when it was deleted (what had changed in its content by then shows in a plan made afterwards)';
  const left = `${Math.floor(leftMs / DAY_MS)} d ${Math.floor((leftMs % DAY_MS) / HOUR_MS)} h`;
  if (isShown) return `${undelete}: ${keeps}; possible for ${left} more`;
  return `${undelete}: ${keeps}; possible for ${left} more at most, where the platform, which says only that it is not there, has it in its bin: else that fails, and a new plan makes it anew`;
}
