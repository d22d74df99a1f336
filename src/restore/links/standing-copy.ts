// Which of several copies of a space links are to lead to: one may be of a rehearsal in another organization, and the original may stand.
import type { ApiClient } from '../../client/index.ts';
import type { Revision } from '../../contract/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import { textAt } from '../resource.ts';
import type { TargetState } from '../target.ts';
import type { Plan } from '../types.ts';
import { unlessUnreadable } from '../answers.ts';

export interface CopyPlace {
  readonly client: ApiClient;
  readonly url: string;
  readonly target: TargetState;
  readonly signal?: AbortSignal | undefined;
}

interface PlannedFrom extends Pick<Plan, 'origin' | 'organization'> {
  readonly reader: SnapshotReader;
}

interface Linked {
  /** The original. */
  readonly space: string;
  /** Ids of all that restores have made of it on this platform, the latest first. */
  readonly copies: readonly string[];
}

interface Copy {
  readonly id: string;
  readonly pages: Revision['pages'];
}

/**
 * Undefined where links are to stay as they are. What stands in the organization that the plan goes into comes first, and there the
 * original before its copies. A copy elsewhere is taken only of a space of another organization, whose original does not stand.
 */
export async function standingCopy(
  place: CopyPlace,
  { reader, origin, organization }: PlannedFrom,
  { space, copies }: Linked,
): Promise<Copy | undefined> {
  if (copies.length === 0) return undefined;
  const there = spacesIn(place.target);
  const isOrigin = origin === place.url;
  if (isOrigin && there.has(space)) return undefined;
  const near = await firstStanding(
    place,
    copies.filter((id) => there.has(id)),
  );
  if (near !== undefined) return near;
  const owner = textAt(reader.one('space', space)?.body, 'organization');
  if (owner === undefined || owner === organization) return undefined;
  if (isOrigin && (await firstStanding(place, [space])) !== undefined) return undefined;
  return firstStanding(
    place,
    copies.filter((id) => !there.has(id)),
  );
}

/** Ids of the spaces that stand in the organization that a plan goes into. */
export function spacesIn({ there }: TargetState): Set<string> {
  return new Set((there.get('space') ?? []).map(({ id }) => id));
}

async function firstStanding({ client }: CopyPlace, ids: readonly string[]): Promise<Copy | undefined> {
  for (const id of ids) {
    const revision = await unlessUnreadable(client.call('getRevision', { path: { spaceId: id } }));
    if (revision !== undefined) return { id, pages: revision.pages };
  }
  return undefined;
}
