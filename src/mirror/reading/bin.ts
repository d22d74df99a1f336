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
  /**
   * As the platform said when it was asked. Null where it says of such a space only that it is not there: deleted since the walk before,
   * or hidden from the token.
   */
  readonly deletedAt: string | null;
  /** Where it lay, when its last snapshot holds several organizations: a plan is of one. Null when it holds one. */
  readonly organization: string | null;
  /** Milliseconds in which it can be undeleted yet; at most so many, counted from the walk that found it gone, where nobody told since when. */
  readonly leftMs: number;
  /** The newest sealed snapshot that holds it. */
  readonly lastSeen: number;
  /** The first sealed snapshot that shows it deleted: the walk that found it so, or the one after, when that was given up. */
  readonly goneSince: number;
}

interface Row {
  readonly id: string;
  readonly key: string;
  readonly deletedAt: string | null;
  /** When the platform was asked for it. */
  readonly foundAt: string;
  /** When the walk that last saw it began. */
  readonly seenAt: string;
  readonly lastSeen: number;
  readonly goneSince: number;
}

/**
 * A platform that has told of one when it was deleted tells it of each: what it says is not there is in its bin no more. Nor is what a
 * restore has asked it for in vain since it was found gone.
 */
const DELETED = `with ended as (
    select r.rid, r.id, r.key, t.snapshot, t.confirmed_at as foundAt,
      ${jsonSql('t.evidence', '$.direct.deletedAt')} as deletedAt, ${jsonSql('t.evidence', '$.direct.status')} as status,
      (select min(id) from snapshots where id >= t.snapshot and state in ${SEALED}) as goneSince,
      (select max(id) from snapshots where id < t.snapshot and state in ${SEALED}) as lastSeen
    from resources r
    join tombstones t on t.rid = r.rid
    where r.kind = 'space'),
  in_vain as materialized (
    select s.key, o.target, o.created_at as asked_at
    from restore_steps s
    join restores o on o.id = s.restore
    where s.kind = 'space' and ${jsonSql('s.detail', '$.isInNoBin')} = 1)
  select e.id, e.key, e.deletedAt, e.foundAt, e.goneSince, e.lastSeen,
    (select started_at from snapshots where id = e.lastSeen) as seenAt
  from ended e
  where (e.deletedAt is not null
      or e.status in (404, 410) and not exists (select 1 from ended told where told.deletedAt is not null))
    and e.goneSince is not null
    and exists (select 1 from versions v where v.rid = e.rid and v.valid_from <= e.lastSeen and v.valid_to > e.lastSeen)
    and not exists (select 1 from versions v where v.rid = e.rid and v.valid_from >= e.snapshot)
    and not exists (
      select 1 from in_vain v
      where v.key = e.key and v.target = (select origin from snapshots where id = e.lastSeen) and v.asked_at >= e.foundAt)`;

/**
 * Spaces that a sealed walk found deleted and that can still be undeleted at an instant; what is most urgent first. So can be those
 * that it only found gone, where it had seen them within the days of the bin.
 */
export function deletedSpaces(mirror: Mirror, now: number): DeletedSpace[] {
  const rows = mirror.store.prepare<Row>(DELETED).all();
  return rows
    .filter(
      ({ deletedAt, foundAt, seenAt }) => deletedAt !== null || Date.parse(foundAt) - Date.parse(seenAt) < UNDELETE_MS,
    )
    .map(({ id, key, deletedAt, foundAt, lastSeen, goneSince }) => ({
      id,
      deletedAt,
      lastSeen,
      goneSince,
      ...asLastSeen(mirror, lastSeen, key),
      // A clock that was set back lengthens no bin.
      leftMs: Math.min(UNDELETE_MS, Date.parse(deletedAt ?? foundAt) + UNDELETE_MS - now),
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
