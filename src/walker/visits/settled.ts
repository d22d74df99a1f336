// Settled change requests: merged or archived. Nobody edits them, and they show what their space did.
import { isSettled, type KindName } from '../../contract/index.ts';
import { bodyOf, currentOf, keyOf } from '../../mirror/index.ts';
import { hasBudget } from '../has-budget.ts';
import { STAGES } from '../order.ts';
import type { Walk } from '../types.ts';
import { isThere, type Body } from './parts.ts';

/** True for a change request that is merged or archived. */
export function isSettledStatus(body: Body | undefined): boolean {
  return isSettled(body?.['status']);
}

/** True for what belongs to one, by its parameters. */
export function isOfSettled({ mirror }: Pick<Walk, 'mirror'>, params: Readonly<Record<string, string>>): boolean {
  const { spaceId, changeRequestId } = params;
  if (spaceId === undefined || changeRequestId === undefined) return false;
  const request = currentOf(mirror, 'change-request', keyOf('change-request', { spaceId, changeRequestId }));
  return request !== undefined && isSettledStatus(bodyOf(mirror, request.rid));
}

/** True for a page that a settled request computes: what it has by now is looked at by nobody. */
export function isComputedOfSettled(
  walk: Pick<Walk, 'mirror'>,
  params: Readonly<Record<string, string>>,
  page: Body,
): boolean {
  return isThere(page['computed']) && isOfSettled(walk, params);
}

/**
 * When the tree of a change request is read, and what that leads to. What a settled one shares with its space is known once that is
 * read, with all that stands beside its pages. A walk that may end before that reads each space to its end.
 */
export function stageOfRequest(walk: Walk, params: Readonly<Record<string, string>>): number {
  return isOfSettled(walk, params) && !hasBudget(walk.settings) ? STAGES.beside : STAGES.read;
}

/** When a listing or tree is read. */
export function stageOf(walk: Walk, kind: KindName, params: Readonly<Record<string, string>>): number {
  return kind === 'change-request-revision' ? stageOfRequest(walk, params) : STAGES.read;
}
