// Whether a resource was there before the open snapshot. What one walk both found and lost again was in no snapshot, and is not counted as gone.
import type { OpenSnapshot } from '../database/database.ts';
import { SHARED } from './shared-trees.ts';

const EVER_SHARED: ReadonlySet<string> = new Set(SHARED.map(({ kind }) => kind));

/** True for kinds that a change request may share with its space: one that was shared until now has no version of its own before this walk. */
export function isEverShared(kind: string): boolean {
  return EVER_SHARED.has(kind);
}

/** True for what was there until the open snapshot, which changed or ended it. */
export function wasThere({ mirror, id: snapshot }: OpenSnapshot, rid: number, kind: string): boolean {
  if (isEverShared(kind)) return true;
  return mirror.store.prepare('select 1 from versions where rid = ? and valid_to = ?').get(rid, snapshot) !== undefined;
}
