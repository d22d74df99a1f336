// The values of a custom field go with it, and nothing of the spaces that had them moves: the end of the field is theirs.
import {
  bodyOf,
  bury,
  currentOf,
  heldByKey,
  heldOf,
  keyOf,
  wasRouted,
  type Evidence,
  type Held,
} from '../../mirror/index.ts';
import type { Walk } from '../types.ts';
import { uncount } from './counted.ts';
import type { AbsentVisit } from './missing.ts';
import type { Body } from './parts.ts';
import { readUnmoved } from './read-again.ts';

const VALUE = 'custom-field-value';

type Params = AbsentVisit['params'];

/** Ends the values of a custom field that is gone, in the spaces of its organization, with the same evidence. */
export function buryValues(walk: Walk, { params }: Pick<AbsentVisit, 'params'>, evidence: Evidence): void {
  for (const { rid, own, space } of valuesOf(walk, params)) {
    // What stood still with its space was counted as unchanged.
    if (wasRouted(walk, space)) uncount(walk, { kind: VALUE, key: keyOf(VALUE, own) });
    bury(walk, { rid }, evidence);
  }
}

/** True for a field of which another one has taken the name since: it was deleted, with its values, and made again. */
export function isMadeAgain({ mirror }: Pick<Walk, 'mirror'>, params: Params, { id }: Body): boolean {
  const held = heldByKey(mirror, 'custom-field', keyOf('custom-field', params));
  const before = held && bodyOf(mirror, held.rid)?.['id'];
  return before !== undefined && id !== undefined && before !== id;
}

/** Reads the values of each space that had one, although it stands still. */
export function readValuesAgain(walk: Walk, params: Params): void {
  for (const { rid, own, space } of valuesOf(walk, params)) {
    if ((bodyOf(walk.mirror, rid)?.['value'] ?? null) === null) continue;
    readUnmoved(walk, VALUE, { rid: space, params: { spaceId: own['spaceId'] ?? '' } });
  }
}

/** A new field is in the values of each space, although that stands still, unless the platform leaves fields without a value out. */
export function readNewField(walk: Walk, { organizationId, fieldName }: Params): void {
  const { mirror } = walk;
  const spaces = heldOf(mirror, 'space').filter(({ rid }) => bodyOf(mirror, rid)?.['organization'] === organizationId);
  const keys = new Set(spaces.map(({ key }) => key));
  const values = heldOf(mirror, VALUE).filter(({ params }) => keys.has(params['spaceId'] ?? ''));
  const isOther = ({ params: own }: Held): boolean =>
    own['organizationId'] === organizationId && own['fieldName'] !== fieldName;
  const others = heldOf(mirror, 'custom-field').filter(isOther);
  const isEmpty = ({ rid }: Held): boolean => (bodyOf(mirror, rid)?.['value'] ?? null) === null;
  // Where each field has a value in each space, as where none was there, nothing shows which the platform does.
  if (values.length < spaces.length * others.length && !values.some(isEmpty)) return;
  for (const space of spaces) readUnmoved(walk, VALUE, space);
}

interface Value {
  readonly rid: number;
  readonly own: Params;
  /** Number of the space that has it. */
  readonly space: number;
}

/** In the spaces of its organization. */
function* valuesOf(walk: Walk, { fieldName = '', organizationId }: Params): Iterable<Value> {
  for (const { rid, params: own } of heldOf(walk.mirror, VALUE, fieldName)) {
    const space = currentOf(walk.mirror, 'space', own['spaceId'] ?? '');
    if (space === undefined) continue;
    const body = bodyOf(walk.mirror, space.rid) ?? {};
    if (body['organization'] === organizationId) yield { rid, own, space: space.rid };
  }
}
