// Spaces that stand in the platform's bin: the API document gives them seven days there (section "Spaces", delete and restore).
import { isRecord, type Clock } from '../../base/index.ts';
import type { ApiClient } from '../../client/index.ts';
import { UNDELETE_MS, type Resource } from '../../mirror/index.ts';
import { unlessUnreadable } from '../answers.ts';
import { isInBin, textAt, type Body } from '../resource.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export interface Deleted {
  /** The space as it was when it was deleted. */
  readonly body: Body;
  /** Milliseconds that are left. */
  readonly leftMs: number;
}

interface Asking {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** Which of the spaces are in the bin and can still come out of it, by their ids. */
export async function deletedSince(
  { client, clock, signal }: Asking,
  spaces: readonly Resource[],
): Promise<Map<string, Deleted>> {
  const found = new Map<string, Deleted>();
  for (const { id } of spaces) {
    // What was purged, or is out of reach, is in no bin.
    const body = await unlessUnreadable(client.callRaw('getSpace', { path: { spaceId: id } }, { signal }));
    if (!isRecord(body) || !isInBin(body)) continue;
    const leftMs = Date.parse(textAt(body, 'deletedAt') ?? '') + UNDELETE_MS - clock.now();
    if (leftMs > 0) found.set(id, { body, leftMs });
  }
  return found;
}

/** `6 d 3 h`. */
export function untilPurge({ leftMs }: Deleted): string {
  return `${Math.floor(leftMs / DAY_MS)} d ${Math.floor((leftMs % DAY_MS) / HOUR_MS)} h`;
}
