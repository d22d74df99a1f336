// The values of a custom field go with it, and nothing of the spaces that had them moves: the end of the field is theirs.
import { bodyOf, bury, currentOf, heldOf, keyOf, wasRouted, type Evidence } from '../../mirror/index.ts';
import { uncount } from './counted.ts';
import type { AbsentVisit } from './missing.ts';
import type { Walk } from '../types.ts';

const VALUE = 'custom-field-value';

/** Ends the values of a custom field that is gone, in the spaces of its organization, with the same evidence. */
export function buryValues(walk: Walk, { params }: Pick<AbsentVisit, 'params'>, evidence: Evidence): void {
  for (const { rid, params: own } of heldOf(walk.mirror, VALUE)) {
    if (own['fieldName'] !== params['fieldName']) continue;
    const space = currentOf(walk.mirror, 'space', own['spaceId'] ?? '');
    if (space === undefined) continue;
    const body = bodyOf(walk.mirror, space.rid) ?? {};
    if (body['organization'] !== params['organizationId']) continue;
    // What stood still with its space was counted as unchanged.
    if (wasRouted(walk, space.rid)) uncount(walk, { kind: VALUE, key: keyOf(VALUE, own) });
    bury(walk, { rid }, evidence);
  }
}
