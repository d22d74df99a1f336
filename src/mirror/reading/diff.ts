// What differs between two snapshots, by resource.
import { lazy } from '../../base/index.ts';
import { kindNames, type KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import { equalVersionsSql } from './equal-versions.ts';
import { SHARED } from '../observe/shared-trees.ts';
import { heldSql, SHARED_GONE, sharedAtSql } from '../views/shared-rows.ts';
import { labelSql, namedLabelSql } from '../views/labels.ts';
import { allBodies } from '../bodies/stored-text.ts';

export interface Difference {
  readonly kind: KindName;
  readonly key: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** Title, name, subject, first words, where a link leads, or id. */
  readonly label: string;
  /** Id of its space; null outside spaces. */
  readonly space: string | null;
  /** Of a change request alone, as the later of the two snapshots has it: draft, open, merged, archived. */
  readonly status?: string;
}

/** Which differences are wanted; all without. */
export interface DiffFilter {
  readonly kind?: KindName | null;
  /** Id of a space: itself and what it holds. */
  readonly space?: string | null;
  /** In the order in which the contract names the kinds, not by their names. */
  readonly parentsFirst?: boolean;
}

// Read for each row that is taken: whoever looks at the first hundred of a hundred thousand waits for no other names.
const NAMING = `select ${namedLabelSql(
  labelSql({ bodies: allBodies, body: ['b.data', '@body'], id: 'r.id', until: '@high' }),
  { bodies: allBodies, until: '@high' },
)} as label, iif(r.kind = 'change-request', ${allBodies.field('b.data', '@body', "'$.status'")}, null) as status from resources r left join bodies b on b.bid = @body where r.rid = @rid`;
type Naming = Record<'label' | 'status', string | null>;

const BOTH = `from resources r
left join versions va on va.rid = r.rid and ${holdsAtSql('va', '@a')}
left join versions vb on vb.rid = r.rid and ${holdsAtSql('vb', '@b')}`;
const FOUND = `${BOTH}
where r.rid in (select rid from versions where valid_from > @low and valid_from <= @high
  union select rid from versions where valid_to > @low and valid_to <= @high
  union select t.rid from ${SHARED_GONE} where st.valid_to > @low and st.valid_to <= @high)`;
const DIFFER = `va.vid is not vb.vid and (va.vid is null or vb.vid is null or (${equalVersionsSql('va', 'vb')}) is not true)`;
// What a settled change request shows as its space did stands elsewhere.
const EITHER = heldSql((name) => `iif(va.vid is null, vb.${name}, va.${name})`);
const IS_SHARED = `(va.vid is null or vb.vid is null) and ${sharedAtSql('r', ['@a', '@b'], EITHER)}`;
const THERE = (version: string, at: string): string =>
  `coalesce(${version}.vid, iif(${sharedAtSql('r', [at])}, 0, null))`;
const CHANGES = `select r.rid, r.kind, r.key, r.space, ${THERE('va', '@a')} as before, ${THERE('vb', '@b')} as after, coalesce(vb.body, va.body) as body ${FOUND}
and (@kind is null or r.kind = @kind) and (@space is null or r.space = @space) and (${DIFFER} and not (${IS_SHARED})
  or va.vid is null and vb.vid is null and ${sharedAtSql('r', ['@a'])} <> ${sharedAtSql('r', ['@b'])})`;
const BY_NAME = `${CHANGES} order by r.kind, r.key`;
const PARENTS_FIRST = `${CHANGES} order by case r.kind ${kindNames.map((kind, at) => `when '${kind}' then ${at}`).join(' ')} end, r.key`;

function changeOf({ before, after }: { before: number | null; after: number | null }): Difference['change'] {
  return before === null ? 'added' : after === null ? 'removed' : 'changed';
}

function rangeOf([a, b]: readonly [from: number, to: number]): Record<'a' | 'b' | 'low' | 'high', number> {
  return { a, b, low: Math.min(a, b), high: Math.max(a, b) };
}

/**
 * Resources that were added, changed or removed from one snapshot to another; not what was changed and changed back. Costs what
 * changed between them.
 */
export function* diffSnapshots(
  mirror: Mirror,
  span: readonly [from: number, to: number],
  filter: DiffFilter = {},
): IterableIterator<Difference> {
  type Row = Omit<Difference, 'change' | 'label' | 'status'> &
    Record<'before' | 'after' | 'body', number | null> & { rid: number };
  const { store } = mirror;
  const { kind = null, space = null, parentsFirst = false } = filter;
  const range = rangeOf(span);
  const rows = store.iterate<Row>(parentsFirst ? PARENTS_FIRST : BY_NAME, { ...range, kind, space });
  for (const { rid, body, before, after, ...facts } of rows) {
    const change = changeOf({ before, after });
    const name = lazy(() => store.prepare<Naming>(NAMING).get({ rid, body, high: range.high }));
    const status = facts.kind === 'change-request' ? name()?.status : null;
    yield {
      ...facts,
      change,
      // It takes many times as long as to find what differs, and who only counts never asks for it.
      get label() {
        return name()?.label ?? facts.key;
      },
      ...(typeof status === 'string' ? { status } : {}),
    };
  }
}

const ONE = `select r.rid, coalesce(vb.body, va.body) as body ${BOTH}
where r.kind = @kind and r.key = @key`;

/** What a difference calls one resource, by the later of two snapshots that has it; its key where neither has. */
export function labelOf(
  { store }: Mirror,
  span: readonly [from: number, to: number],
  { kind, key }: Pick<Difference, 'kind' | 'key'>,
): string {
  const { a, b, high } = rangeOf(span);
  const found = store.prepare<{ rid: number; body: number | null }>(ONE).get({ a, b, kind, key });
  return (found && store.prepare<Naming>(NAMING).get({ ...found, high })?.label) ?? key;
}

/** How many of each kind came or went with a space, by its change and id: `removed s1`. */
export type WholeSpaces = ReadonlyMap<string, ReadonlyMap<KindName, number>>;

const NAMED = '(select value from json_each(@spaces))';
const WITHIN = `select r.kind, r.space, va.vid as before, vb.vid as after, count(*) as amount ${FOUND}
and (va.vid is null) <> (vb.vid is null) and r.space in ${NAMED} and r.kind <> 'space' group by r.space, r.kind, va.vid is null`;

const [AT_A, AT_B] = [holdsAtSql('s', '@a'), holdsAtSql('s', '@b')];
const SHARED_WITHIN = SHARED.map(
  ({ kind, tree, number }) => `select '${kind}' as kind, q.space as space, iif(${AT_A}, 1, null) as before,
iif(${AT_B}, 1, null) as after, sum(s.${number}) as amount from resources q join shared_trees s on s.rid = q.rid and s.kind = '${tree}'
where q.space in ${NAMED} and q.kind = 'change-request-revision' and (${AT_A}) <> (${AT_B}) group by 2, 3, 4`,
);
// For all of them at once: for one after the other, all that differs was gathered anew for each.
const ALL_WITHIN = [WITHIN, ...SHARED_WITHIN].join(' union all ');

/** The spaces that came or went from one snapshot to another, with what came or went along with each. */
export function wholeSpaces(mirror: Mirror, span: readonly [from: number, to: number]): WholeSpaces {
  type Row = { kind: KindName; space: string; before: number | null; after: number | null; amount: number };
  const found = new Map<string, Map<KindName, number>>();
  const spaces: string[] = [];
  for (const { change, space } of diffSnapshots(mirror, span, { kind: 'space' })) {
    if (change === 'changed' || space === null) continue;
    found.set(`${change} ${space}`, new Map());
    spaces.push(space);
  }
  if (spaces.length === 0) return found;
  const within = mirror.store.iterate<Row>(ALL_WITHIN, { ...rangeOf(span), spaces: JSON.stringify(spaces) });
  for (const row of within) {
    const amounts = row.amount > 0 ? found.get(`${changeOf(row)} ${row.space}`) : undefined;
    amounts?.set(row.kind, (amounts.get(row.kind) ?? 0) + row.amount);
  }
  return found;
}
