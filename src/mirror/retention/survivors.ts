// Whether what stays is whole where something older of it goes: else the last that can be read of it would be dropped.
import type { Pieces } from '../../base/index.ts';
import type { Mirror } from '../database/database.ts';
import { rangesOf, withinSql } from '../database/ranges.ts';
import { lastSealed } from '../snapshots/snapshots.ts';
import { SEALED } from '../snapshots/sealed-states.ts';
import { isWholeObject, type ExpectedObject } from './whole-object.ts';

const SHOWN = 'select 1 from snapshots s where s.id >= v.valid_from and s.id < v.valid_to';
const DROPPED = 's.id in (select value from dropped)';

// So many are read and hashed in some tens of milliseconds.
const RESOURCES_AT_ONCE = 500;

// Costs what is dropped: of a resource that loses nothing, nothing is read.
const GOING = `with dropped as materialized (select value from json_each(@dropped)),
going as materialized (select distinct v.rid, v.object from versions v where ${withinSql('v.rid')} and v.valid_to <= @last
  and exists (${SHOWN} and ${DROPPED}) and not exists (${SHOWN} and s.state in ${SEALED} and not ${DROPPED}))`;
const NEWEST = 'n.valid_from <= @last and (n.valid_to is null or n.valid_to > @last)';

const DAMAGED = `${GOING} select r.kind, r.key from (select distinct rid from going) join resources r using (rid)
join versions n on n.rid = r.rid and ${NEWEST}
join bodies b on b.bid = n.body left join bodies t on t.bid = n.text
where docmirror_hash(b.data) <> b.hash or docmirror_hash(t.data) <> t.hash limit 1`;

// With the same bytes nothing goes: they are as whole or damaged as what stays.
const REPLACED = `${GOING} select r.kind, r.key, n.object, n.size from going g join resources r using (rid)
join versions n on n.rid = r.rid and ${NEWEST}
where n.object is not null and g.object is not null and g.object <> n.object group by r.rid`;

interface Resource {
  readonly kind: string;
  readonly key: string;
}

/**
 * A resource that is damaged in the newest snapshot, or whose bytes are damaged or missing there, and of which an earlier state would
 * go with these; null when there is none.
 */
export function* damagedSurvivor(mirror: Mirror, dropped: readonly number[]): Pieces<string | null> {
  if (dropped.length === 0) return null;
  const chosen = { dropped: JSON.stringify(dropped), last: lastSealed(mirror)?.id ?? 0 };
  const damaged = mirror.store.prepare<Resource>(DAMAGED);
  const replaced = mirror.store.prepare<Resource & ExpectedObject>(REPLACED);
  for (const range of rangesOf(mirror, { table: 'resources', column: 'rid', size: RESOURCES_AT_ONCE })) {
    const bound = { ...chosen, ...range };
    const found = damaged.get(bound) ?? (yield* firstDamagedObject(mirror, replaced.all(bound)));
    if (found) return `${found.kind} ${found.key}`;
    yield;
  }
  return null;
}

function* firstDamagedObject(
  { objects }: Mirror,
  files: readonly (Resource & ExpectedObject)[],
): Pieces<Resource | undefined> {
  for (const file of files) if (!(yield* isWholeObject(objects.pathOf(file.object), file))) return file;
  return undefined;
}
