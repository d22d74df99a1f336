// Spaces that the configuration or the command line names: read directly, whether or not a listing shows them. So are those of which a
// listing may not show all.
import { pathFor } from '../../contract/index.ts';
import { isRecord } from '../../base/index.ts';
import { ApiError } from '../../client/index.ts';
import { addVisit, currentOf, heldByKey, isRefusalAccepted, wasRouted } from '../../mirror/index.ts';
import { demandSame } from './demand-id.ts';
import type { AbsentVisit } from './missing.ts';
import { STAGES } from '../order.ts';
import { isRefusal } from '../refusals.ts';
import type { Body } from './parts.ts';
import { seeSpace } from './spaces.ts';
import type { Walk } from '../types.ts';

/** Parameters of a `space` visit. */
export interface NamedSpaceVisit {
  readonly key: string;
}

/** Reads the space; null where it is deleted or out of reach. That is a failure for one that was never seen: then its name is wrong. */
export async function readNamedSpace(walk: Walk, { key }: NamedSpaceVisit): Promise<Body | null> {
  const input = { path: pathFor('getSpace', { spaceId: key }) };
  try {
    const answer = await walk.client.callRaw('getSpace', input, { signal: walk.signal });
    const body = isRecord(answer) ? answer : {};
    // One that is held by this id is no other name of what is shown.
    if (heldByKey(walk.mirror, 'space', key) !== undefined)
      demandSame({ kind: 'space', params: { spaceId: key } }, body);
    // A deleted space still answers for a while and says so itself.
    return typeof body['deletedAt'] === 'string' ? null : body;
  } catch (error) {
    const known = currentOf(walk.mirror, 'space', key);
    if (known === undefined || !isAway(error)) throw error;
    // What ended because it is refused still is.
    const place = { kind: 'space', resource: key, scope: null };
    if (known.vid === null && isRefusal(error) && isRefusalAccepted(walk, place)) throw error;
    return null;
  }
}

/** True for what the platform does not show this token, be it there or not. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { code, status } = error;
  return code === 'DM_NOT_FOUND' || code === 'DM_FORBIDDEN' || status === 410;
}

/** Takes the space in. One that is away is asked for again when all rights are known: those who lose them are told "not found" too. */
export function takeNamedSpace(walk: Walk, { key }: NamedSpaceVisit, body: Body | null): void {
  if (body !== null) return void seeSpace(walk, body, { route: isNamed(walk, key) ? 'configured' : 'direct' });
  const held = heldByKey(walk.mirror, 'space', key);
  if (held === undefined || wasRouted(walk, held.rid)) return;
  const named = { rid: held.rid, kind: 'space', key, params: { spaceId: key } } as const;
  const visit: AbsentVisit = { ...named, scope: null, listing: 'none: it is named', listed: 0 };
  addVisit(walk, { task: 'absent', stage: STAGES.absent, params: { ...visit } });
}

function isNamed({ scope }: Walk, key: string): boolean {
  return scope.extraSpaces.includes(key) || scope.onlySpaces?.includes(key) === true;
}
