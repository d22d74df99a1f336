// What the platform refuses to the token (403; 404 for a listing that was never read). It is a failure, unless a person said that the
// rights of the token are as they should be: then it ends here, with that as its evidence, and later walks lack nothing by it.
import { ApiError } from '../client/index.ts';
import { kindOf } from '../contract/index.ts';
import {
  bury,
  currentOf,
  hasRightsOfItsOwn,
  isRefusalAccepted,
  notAmong,
  noteRefused,
  type Evidence,
} from '../mirror/index.ts';
import { goneStatus, type Visited } from './failures.ts';
import type { Walk } from './types.ts';

/** Takes a refusal that is meant; false for every other error, which is a failure. Call inside a transaction. */
export function takeRefusal(walk: Walk, place: Visited, error: unknown): boolean {
  if (!isRefusal(error) && !isHidden(walk, place, error)) return false;
  if (!hasRightsOfItsOwn(place.kind)) return false;
  if (walk.acceptRights !== true && !isRefusalAccepted(walk, place)) return false;
  const request = `${error.method} ${error.target}`;
  const status = error.status ?? 403;
  if (walk.acceptRights === true) endRefused(walk, place, acceptedLoss(request, status));
  noteRefused(walk, { ...place, request, status });
  walk.log.info({ kind: place.kind, resource: place.resource }, 'is refused to the token, as was accepted');
  return true;
}

/** Only the platform's own word: what stands before it may say 403 too, without the platform's body of an error (reference facts, N27a). */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'DM_FORBIDDEN' && error.platformMessage !== null;
}

/** Why something ends that is there, and that the token may not see any more. */
export function acceptedLoss(request: string, status: number): Evidence {
  return {
    listing: 'none: the loss of the right was accepted',
    listed: 0,
    direct: { request, status },
    accepted: true,
  };
}

/**
 * True where the platform knows nothing of a listing of which nothing is held: it may say "not found" to those who may not see
 * (reference facts, N27: which of the two is unknown).
 */
function isHidden({ mirror }: Walk, { kind, scope }: Visited, error: unknown): error is ApiError {
  const isOwnWord = error instanceof ApiError && error.platformMessage !== null;
  if (!isOwnWord || goneStatus(error) === undefined || kindOf(kind).read.from !== 'list') return false;
  return notAmong(mirror, { scope, kind, seen: new Set() }).length === 0;
}

function endRefused(walk: Walk, { kind, resource, scope }: Visited, evidence: Evidence): void {
  const own = currentOf(walk.mirror, kind, resource);
  if (typeof own?.vid === 'number') bury(walk, own, evidence);
  else if (scope !== null)
    for (const one of notAmong(walk.mirror, { scope, kind, seen: new Set() })) bury(walk, one, evidence);
}
