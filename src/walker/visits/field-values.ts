// The values of a custom field go with it, and nothing of the spaces that had them moves: the end of the field is theirs.
import { bodyOf, bury, currentOf, heldOf, type Evidence } from '../../mirror/index.ts';
import type { AbsentVisit } from './missing.ts';
import type { Walk } from '../types.ts';

/** Ends the values of a custom field that is gone, in the spaces of its organization, with the same evidence. */
export function buryValues(walk: Walk, { params }: Pick<AbsentVisit, 'params'>, evidence: Evidence): void {
  for (const { rid, params: own } of heldOf(walk.mirror, 'custom-field-value')) {
    if (own['fieldName'] !== params['fieldName']) continue;
    const space = currentOf(walk.mirror, 'space', own['spaceId'] ?? '');
    const body = space === undefined ? {} : (bodyOf(walk.mirror, space.rid) ?? {});
    if (body['organization'] === params['organizationId']) bury(walk, { rid }, evidence);
  }
}
