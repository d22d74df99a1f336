// When the spaces that a restore made were last changed: by the word of the platform, whose clock is not ours. Taken before a run
// goes on with a restore and once it has written everything, so that neither its own writes count as somebody's nor theirs as its own.
import { isAbort, toAppError } from '../base/index.ts';
import type { Resource, RestoreRecord, RestoreStep } from '../mirror/index.ts';
import { detailOf } from './id-map.ts';
import { textAt } from './resource.ts';
import type { ApplyContext } from './types.ts';

type Asking = Pick<ApplyContext, 'client' | 'journal' | 'log' | 'signal'>;

/** Before the first write of a run: a space that somebody changed since the last one stays known as changed, whatever is written now. */
export async function openMadeSpaces(asking: Asking): Promise<void> {
  for (const made of madeSpaces(asking.journal.entries)) {
    const noted = detailOf(made).changedAt ?? null;
    if (noted !== null && (await changedAt(asking, made)) === noted) asking.journal.changedAt(made, null);
  }
}

/** After the last write of a run; a run that was cut off before this is made good by the next one. */
export async function settleMadeSpaces(asking: Asking): Promise<void> {
  for (const made of madeSpaces(asking.journal.entries)) {
    if ((detailOf(made).changedAt ?? null) !== null) continue;
    const at = await changedAt(asking, made);
    if (at !== null) asking.journal.changedAt(made, at);
  }
}

/** Tells of a space that the restore made whether somebody changed it since; by our clock where an earlier program kept nothing else. */
export function spacesChangedSince(
  { ended_at: endedAt }: Pick<RestoreRecord, 'ended_at'>,
  steps: readonly RestoreStep[],
): (space: Resource) => boolean {
  const noted = new Map(madeSpaces(steps).map((made) => [made.new_id, detailOf(made).changedAt]));
  return ({ id, body }) => {
    const [now, then] = [textAt(body, 'updatedAt'), noted.get(id) ?? endedAt];
    return now !== undefined && then !== null && Date.parse(now) > Date.parse(then);
  };
}

function madeSpaces(steps: readonly RestoreStep[]): RestoreStep[] {
  return steps.filter(({ kind, state, new_id: id }) => kind === 'space' && state === 'done' && id !== null);
}

/** Null when it cannot be asked for: what was written is written all the same. */
async function changedAt({ client, log, signal }: Asking, { new_id: id }: RestoreStep): Promise<string | null> {
  try {
    const space = await client.call('getSpace', { path: { spaceId: id ?? '' } }, { signal });
    return space.updatedAt;
  } catch (error) {
    if (isAbort(error)) throw error;
    log.warn({ space: id, err: toAppError(error).message }, 'when a space was last changed is not known');
    return null;
  }
}
