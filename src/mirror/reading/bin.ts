// Deleted spaces that the platform still keeps: its document gives them seven days, in which they can be restored with their ids.
import { isoTime } from '../../base/index.ts';
import type { Mirror } from '../database/database.ts';
import { listRestores, stepsOf } from '../restores/journal.ts';
import { readerAt } from './reader.ts';
import { undoesOf } from '../restores/restore-roles.ts';
import { jsonSql } from '../bodies/stored-json.ts';
import { SEALED } from '../snapshots/sealed-states.ts';

const DAY_MS = 86_400_000;
/** How long a deleted space can be restored (API document, section "Spaces", delete and restore). */
export const UNDELETE_MS = 7 * DAY_MS;

export interface DeletedSpace {
  readonly id: string;
  readonly title: string;
  /** As the platform said when it was asked. */
  readonly deletedAt: string;
  /** Where it lay, when its last snapshot holds several organizations: a plan is of one. Null when it holds one. */
  readonly organization: string | null;
  /** Milliseconds in which it can be undeleted yet. */
  readonly leftMs: number;
  /** The newest sealed snapshot that holds it. */
  readonly lastSeen: number;
  /** The first sealed snapshot that shows it deleted: the walk that found it so, or the one after, when that was given up. */
  readonly goneSince: number;
}

interface Row {
  readonly id: string;
  readonly key: string;
  readonly deletedAt: string;
  readonly lastSeen: number;
  readonly goneSince: number;
}

/** Spaces that a sealed walk found deleted and that can still be undeleted at an instant; what is most urgent first. */
export function deletedSpaces(mirror: Mirror, now: number): DeletedSpace[] {
  const rows = mirror.store
    .prepare<Row>(
      `select r.id, r.key, ${jsonSql('t.evidence', '$.direct.deletedAt')} as deletedAt,
         (select min(id) from snapshots where id >= t.snapshot and state in ${SEALED}) as goneSince,
         (select max(id) from snapshots where id < t.snapshot and state in ${SEALED}) as lastSeen
       from resources r
       join tombstones t on t.rid = r.rid
       where r.kind = 'space' and deletedAt is not null and goneSince is not null
         and exists (select 1 from versions v where v.rid = r.rid and v.valid_from <= lastSeen and v.valid_to > lastSeen)
         and not exists (select 1 from versions v where v.rid = r.rid and v.valid_from >= t.snapshot)`,
    )
    .all();
  return rows
    .map(({ key, ...row }) => ({
      ...row,
      ...asLastSeen(mirror, row.lastSeen, key),
      // A clock that was set back lengthens no bin.
      leftMs: Math.min(UNDELETE_MS, Date.parse(row.deletedAt) + UNDELETE_MS - now),
    }))
    .filter(({ leftMs }) => leftMs > 0)
    .toSorted((a, b) => a.leftMs - b.leftMs || a.id.localeCompare(b.id));
}

/** Of those, the ones that a restore has brought out of the bin since the last walk, by their ids, with that restore; `now` in milliseconds since the epoch. */
export function broughtBack(mirror: Mirror, spaces: readonly DeletedSpace[], now: number): Map<string, string> {
  const last = mirror.store
    .prepare<{ at: string | null; origin: string | null }>(
      `select started_at as at, origin from snapshots where state in ${SEALED} order by id desc limit 1`,
    )
    .get();
  if (last === undefined || spaces.length === 0) return new Map();
  const found = new Map<string, string>();
  for (const restore of listRestores(mirror)) {
    if (restore.target !== last.origin) continue;
    const undoes = undoesOf(restore);
    for (const { kind, state, key, new_id: id, at } of stepsOf(mirror, restore.id)) {
      // What a wrong clock dated in times yet to come may have been walked over and deleted again: of the two, that is to be told.
      if (kind !== 'space' || state === 'skipped' || at <= (last.at ?? '') || at > isoTime(now)) continue;
      // What came out of the bin kept its id. An undo that has begun to take it away may have.
      if (id === key && state === 'done') found.set(key, restore.id);
      else if (undoes !== null && found.get(key) === undoes) found.delete(key);
    }
  }
  return new Map(spaces.flatMap(({ id }) => (found.has(id) ? [[id, found.get(id) ?? '']] : [])));
}

function asLastSeen(mirror: Mirror, snapshot: number, key: string): Pick<DeletedSpace, 'title' | 'organization'> {
  const reader = readerAt(mirror, snapshot, { damaged: 'empty' });
  const { title, organization } = reader.one('space', key)?.body ?? {};
  const isAmongSeveral = typeof organization === 'string' && reader.count('organization') > 1;
  return { title: typeof title === 'string' ? title : key, organization: isAmongSeveral ? organization : null };
}
