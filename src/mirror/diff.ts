// What differs between two snapshots, by resource.
import type { KindName } from '../contract/index.ts';
import type { Mirror } from './database.ts';
import { equalVersionsSql } from './equal-versions.ts';
import { labelSql, ownerLabelSql } from './report-views.ts';
import { allBodies } from './stored-text.ts';

export interface Difference {
  readonly kind: KindName;
  readonly key: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** Title, name, subject, first words or id. */
  readonly label: string;
  /** Id of its space; null outside spaces. */
  readonly space: string | null;
}

/** Which differences are wanted; all without. */
export interface DiffFilter {
  readonly kind?: KindName | null;
  /** Id of a space: itself and what it holds. */
  readonly space?: string | null;
}

const LABEL = ownerLabelSql(
  (path) => allBodies.field('ob.data', 'ov.body', `'${path}'`),
  labelSql((path) => allBodies.field('b.data', 'coalesce(vb.body, va.body)', `'${path}'`), 'r.id'),
  '@high',
);
const CHANGES = `select r.kind, r.key, r.space, va.vid as before, vb.vid as after, ${LABEL} as label
from resources r
left join versions va on va.rid = r.rid and va.valid_from <= @a and (va.valid_to is null or va.valid_to > @a)
left join versions vb on vb.rid = r.rid and vb.valid_from <= @b and (vb.valid_to is null or vb.valid_to > @b)
left join bodies b on b.bid = coalesce(vb.body, va.body)
where r.rid in (select rid from versions where valid_from > @low and valid_from <= @high
  union select rid from versions where valid_to > @low and valid_to <= @high)
and (@kind is null or r.kind = @kind) and (@space is null or r.space = @space)
and va.vid is not vb.vid and (va.vid is null or vb.vid is null or (${equalVersionsSql('va', 'vb')}) is not true)
order by r.kind, r.key`;

/**
 * Resources that were added, changed or removed from one snapshot to another; not what was changed and changed back. Costs what
 * changed between them.
 */
export function* diffSnapshots(
  mirror: Mirror,
  span: readonly [from: number, to: number],
  filter: DiffFilter = {},
): IterableIterator<Difference> {
  type Row = Omit<Difference, 'change'> & { before: number | null; after: number | null };
  const [a, b] = span;
  const values = {
    a,
    b,
    low: Math.min(a, b),
    high: Math.max(a, b),
    kind: filter.kind ?? null,
    space: filter.space ?? null,
  };
  for (const row of mirror.store.driver.prepare<[typeof values], Row>(CHANGES).iterate(values)) {
    const { before, after, ...facts } = row;
    yield { ...facts, change: before === null ? 'added' : after === null ? 'removed' : 'changed' };
  }
}
