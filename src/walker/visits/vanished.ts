// What the platform says is not there below something that was listed: that may have gone since. Its listing tells, read once
// more; a space, which has none of its own, says itself when it was deleted.
import { kindOf } from '../../contract/index.ts';
import { addVisit, resourceByNumber, type NumberedResource } from '../../mirror/index.ts';
import { placeOf, STAGES } from '../order.ts';
import type { Walk } from '../types.ts';
import { takeVerdict, type Verdict } from './absent.ts';
import type { AbsentVisit } from './missing.ts';
import type { RecountVisit } from './recount.ts';

/** Looks once in a walk whether what stands above a visit is still there. Call inside a transaction. */
export function lookAbove(walk: Walk, scope: number): void {
  if (walk.lookedAbove.has(scope)) return;
  walk.lookedAbove.add(scope);
  const found = resourceByNumber(walk.mirror, scope);
  const above = found?.scope === null || found === undefined ? undefined : resourceByNumber(walk.mirror, found.scope);
  if (found === undefined || above === undefined) return;
  if (found.kind === 'space') return askSpace(walk, found, above);
  const { read } = kindOf(found.kind);
  // A part of a tree, or the tree itself: what holds it tells.
  if (read.from !== 'list') return lookAbove(walk, above.rid);
  const visit: RecountVisit = { kind: found.kind, scope: above.rid, path: above.params, mark: null, recounted: true };
  addVisit(walk, { task: 'recount', stage: STAGES.absent, params: { ...visit }, place: placeOf(walk, above.params) });
}

function askSpace(walk: Walk, space: NumberedResource, above: NumberedResource): void {
  const listing = `routes of organization ${above.key}, which showed it before`;
  const visit: AbsentVisit = { ...space, scope: above.rid, listing, listed: 0 };
  addVisit(walk, {
    task: 'deleted-space',
    stage: STAGES.absent,
    params: { ...visit },
    place: placeOf(walk, space.params),
  });
}

/** Ends a space that was listed before only when it says itself that it was deleted: routes are not walked twice. */
export function takeDeletedSpace(walk: Walk, visit: AbsentVisit, verdict: Verdict): void {
  if (verdict.is === 'gone' && verdict.deletedAt !== undefined) takeVerdict(walk, visit, verdict);
}
