// What somebody has changed since a restore wrote it, which an undo of that restore leaves.
import { canonicalJson, isRecord } from '../../base/index.ts';
import { asSaid } from '../resource.ts';
import type { FieldMend } from '../types.ts';

/** A platform may tell these otherwise than they were written: by new ids, or addresses of its own. */
const OTHERWISE_TOLD: ReadonlySet<string> = new Set(['body', 'defaultTeam']);

/**
 * True for a field that does not stand as it was written. Of lists and objects, which a platform may complete, nobody can say.
 * @param own What the restore wrote, by field; null where nothing tells that.
 */
export function isChangedSince({ field, from }: FieldMend, own: ReadonlyMap<string, unknown> | null): boolean {
  if (own === null || !own.has(field) || OTHERWISE_TOLD.has(field)) return false;
  const left = asSaid(own.get(field));
  return !isRecord(left) && !Array.isArray(left) && canonicalJson(left) !== canonicalJson(asSaid(from));
}
