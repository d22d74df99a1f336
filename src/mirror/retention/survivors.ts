// Whether what stays is whole where something older of it goes: else the last that can be read of it would be dropped.
import type { Pieces } from '../../base/index.ts';
import type { Mirror } from '../database/database.ts';
import { rangesOf, withinSql } from '../database/ranges.ts';
import { lastSealed } from '../snapshots/snapshots.ts';
import { hashSql } from '../bodies/body-hash.ts';
import { legibleTextSql } from '../bodies/stored-text.ts';
import { SEALED } from '../snapshots/sealed-states.ts';
import type { NamedObject } from '../bodies/objects.ts';
import { isWholeObject } from '../bodies/whole-object.ts';

const SHOWN = 'select 1 from snapshots s where s.id >= v.valid_from and s.id < v.valid_to';
const DROPPED = 's.id in (select value from dropped)';

// So many are read and hashed in some tens of milliseconds.
const RESOURCES_AT_ONCE = 500;

// Costs what is dropped: of a resource that loses nothing, nothing is read.
const GOING = `with dropped as materialized (select value from json_each(@dropped)),
going as materialized (select distinct v.rid, v.object from versions v where ${withinSql('v.rid')} and v.valid_to <= @last
  and exists (${SHOWN} and ${DROPPED}) and not exists (${SHOWN} and s.state in ${SEALED} and not ${DROPPED}))`;
/** The first of those that stay which shows a version; null for one that none of them shows. */
const shownBy = (version: string): string => `(select min(s.id) from snapshots s where s.id >= ${version}.valid_from
  and (${version}.valid_to is null or s.id < ${version}.valid_to) and s.state in ${SEALED} and not ${DROPPED})`;
const READABLE = (bid: string): string => legibleTextSql(`(select p.data from bodies p where p.bid = ${bid})`, bid);
// What cannot be put together any more has no hash.
const isBroken = (bid: string): string => `coalesce(docmirror_hash(${READABLE(bid)}), x'') is not ${hashSql(bid)}`;
// Of two that are equal the whole one is kept for both.
const isDamaged = (column: 'body' | 'text'): string => `n.${column} is not null and ${isBroken(`n.${column}`)}
  and not exists (select 1 from versions m where m.rid = n.rid and m.${column} <> n.${column} and ${shownBy('m')} is not null
    and ${hashSql(`m.${column}`)} = ${hashSql(`n.${column}`)} and not ${isBroken(`m.${column}`)})`;

const DAMAGED = `${GOING} select r.kind, r.key, ${shownBy('n')} as snapshot from (select distinct rid from going) join resources r using (rid)
join versions n on n.rid = r.rid where ${shownBy('n')} is not null and (${isDamaged('body')} or ${isDamaged('text')}) limit 1`;

// With the same bytes nothing goes: they are as whole or damaged as what stays.
const REPLACED = `${GOING} select r.kind, r.key, ${shownBy('n')} as snapshot, n.object, n.size from going g join resources r using (rid)
join versions n on n.rid = r.rid
where n.object is not null and g.object is not null and g.object <> n.object and ${shownBy('n')} is not null group by r.rid, n.object`;

interface Shown {
  readonly kind: string;
  readonly key: string;
  readonly snapshot: number;
}

/** What is damaged, or has bytes that are damaged or missing, in a snapshot that stays, the first of those. */
export interface DamagedSurvivor {
  readonly what: string;
  readonly snapshot: number;
}

/** Something damaged that stays and of which another state would go with these; null when there is none. */
export function* damagedSurvivor(mirror: Mirror, dropped: readonly number[]): Pieces<DamagedSurvivor | null> {
  if (dropped.length === 0) return null;
  const chosen = { dropped: JSON.stringify(dropped), last: lastSealed(mirror)?.id ?? 0 };
  const damaged = mirror.store.prepare<Shown>(DAMAGED);
  const replaced = mirror.store.prepare<Shown & NamedObject>(REPLACED);
  for (const range of rangesOf(mirror, { table: 'resources', column: 'rid', size: RESOURCES_AT_ONCE })) {
    const bound = { ...chosen, ...range };
    const found = damaged.get(bound) ?? (yield* firstDamagedObject(mirror, replaced.all(bound)));
    if (found) return { what: `${found.kind} ${found.key}`, snapshot: found.snapshot };
    yield;
  }
  return null;
}

function* firstDamagedObject({ objects }: Mirror, files: readonly (Shown & NamedObject)[]): Pieces<Shown | undefined> {
  for (const file of files) if (!(yield* isWholeObject(objects.pathOf(file.object), file))) return file;
  return undefined;
}
