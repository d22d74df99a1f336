// What differs between two snapshots, by resource.
import type { KindName } from '../contract/index.ts';
import type { Mirror } from './database.ts';

export interface Difference {
  readonly kind: KindName;
  readonly key: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** Title, name, subject or id. */
  readonly label: string;
}

const CHANGES = `select r.kind, r.key, va.vid as before, vb.vid as after,
  coalesce(json_extract(b.data, '$.title'), json_extract(b.data, '$.name'), json_extract(b.data, '$.subject'),
    json_extract(b.data, '$.user.displayName'), r.id) as label
from resources r
left join versions va on va.rid = r.rid and va.valid_from <= @a and (va.valid_to is null or va.valid_to > @a)
left join versions vb on vb.rid = r.rid and vb.valid_from <= @b and (vb.valid_to is null or vb.valid_to > @b)
left join bodies b on b.bid = coalesce(vb.body, va.body)
where r.rid in (select rid from versions where valid_from > @low and valid_from <= @high
  union select rid from versions where valid_to > @low and valid_to <= @high)
order by r.kind, r.key`;

/** Resources that were added, changed or removed from one snapshot to another. Costs what changed between them. */
export function* diffSnapshots(mirror: Mirror, a: number, b: number): IterableIterator<Difference> {
  interface Row {
    kind: KindName;
    key: string;
    before: number | null;
    after: number | null;
    label: string;
  }
  const span = { a, b, low: Math.min(a, b), high: Math.max(a, b) };
  for (const row of mirror.store.driver.prepare<[typeof span], Row>(CHANGES).iterate(span)) {
    if (row.before === row.after) continue;
    const change = row.before === null ? 'added' : row.after === null ? 'removed' : 'changed';
    yield { kind: row.kind, key: row.key, change, label: row.label };
  }
}
