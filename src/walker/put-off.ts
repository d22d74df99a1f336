// What a person accepted of change requests that are settled: nobody edits those, and each has a copy of what cannot be read. It is asked
// for on the nights of the rota, not on each, and named on all of them.
import { isCopy, isKindName, isSettled, type KindName } from '../contract/index.ts';
import { bodyOf, heldByKey, readMark, type FailedPlace, type Lacking, type Mirror } from '../mirror/index.ts';
import type { Walk } from './types.ts';

const TREE: KindName = 'change-request-revision';

/** True for what the last snapshot lacks too, as was accepted, of a change request that is settled. */
export function isPutOff({ mirror, isLackAccepted }: Walk, one: Lacking): boolean {
  return settledOf(mirror, one) !== undefined && isLackAccepted(one);
}

/** True for what was put off, and was not asked for since a snapshot that lacks it: its tree stands as it was read by then. */
export function wasPutOff({ mirror }: Pick<Walk, 'mirror'>, place: FailedPlace, snapshot: number): boolean {
  const request = settledOf(mirror, place);
  const mark = request === undefined ? undefined : readMark(mirror, request, TREE);
  return mark !== undefined && mark.snapshot <= snapshot;
}

/** The number of the settled change request of which something is a copy; undefined where it is none, or that is gone. */
function settledOf(mirror: Mirror, { kind, resource }: FailedPlace): number | undefined {
  if (!isKindName(kind) || !isCopy(kind)) return undefined;
  const request = heldByKey(mirror, 'change-request', resource.split('/', 2).join('/'));
  return request !== undefined && isSettled(bodyOf(mirror, request.rid)?.['status']) ? request.rid : undefined;
}
