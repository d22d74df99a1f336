// What the open snapshot had before it: what it has found and lost again was never there for whoever compares snapshots.
import type { OpenSnapshot } from '../database/database.ts';
import { SHARED_KINDS } from './shared-trees.ts';

const EVER_SHARED = new Set<string>(
  Object.entries(SHARED_KINDS).flatMap(([kind, { beside }]) => (beside === null ? [kind] : [kind, beside])),
);

/** True for kinds of which a change request may show those of its space: what was shared until now begins as its own in this walk. */
export function isEverShared(kind: string): boolean {
  return EVER_SHARED.has(kind);
}

/** True for what was there until the open snapshot, which changed or ended it. */
export function wasThere({ mirror, id: snapshot }: OpenSnapshot, rid: number, kind: string): boolean {
  if (isEverShared(kind)) return true;
  return mirror.store.prepare('select 1 from versions where rid = ? and valid_to = ?').get(rid, snapshot) !== undefined;
}
