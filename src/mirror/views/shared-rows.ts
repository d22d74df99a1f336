// SQL for what settled change requests show as their spaces did, in the form of other resources.
import { kindOf, type KindName } from '../../contract/index.ts';
import { hashSql } from '../bodies/body-hash.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import { OF_TREE, SHARED, SHARED_KINDS, TREE_ENTRIES, type Shared } from '../observe/shared-trees.ts';

/** Rows of one kind. */
export interface SharedRows extends Shared {
  /** The kind of what the entries of their trees are in the space. */
  readonly main: KindName;
  /** The path parameter that names the change request. */
  readonly parameter: string;
  /** SQL of rows with what `resources` and `versions` have of a resource, and the id of the change request as `request`. */
  readonly sql: string;
}

/** The rows of those of these kinds of which something may be shared. */
export function sharedRowsOf(kinds: readonly KindName[]): SharedRows[] {
  return SHARED.filter(({ kind }) => kinds.includes(kind)).map((shared) => ({
    ...shared,
    main: SHARED_KINDS[shared.tree].main,
    parameter: kindOf(shared.kind).params[1] ?? '',
    sql: rowsSql(shared),
  }));
}

/** By what a row of these is found: its tree, the revision of that as `q`, and the page or file of the space as `p`. */
export const SHARED_JOIN = `${TREE_ENTRIES} join resources q on q.rid = st.rid`;

/**
 * Stands for the number of a resource. No resource has it, and the order is that of what they are in the space; the change requests
 * that share something have the same for it.
 */
export const SHARED_RID = 'e.rid - 1099511627776';

export const SHARED_KEY = `q.key || '/' || p.id`;

const REVISION = 'change-request-revision' satisfies KindName;

function rowsSql({ kind, tree, number }: Shared): string {
  const isBeside = number === 'documents';
  const values = isBeside
    ? 'e.document as body, null as text, null as object, null as size, null as parent, null as position'
    : 'e.body, e.text, e.object, e.size, e.parent, e.position';
  const [, request = '', own = ''] = kindOf(kind).params;
  const params = `json_object('spaceId', q.space, '${request}', q.id, '${own}', p.id)`;
  return `select st.rid as rid, ${SHARED_RID} as number, '${kind}' as kind, ${SHARED_KEY} as key, p.id as id, q.space as space, q.id as request, ${params} as params,
  ${firstSeenSql(kind)} as first_seen_at, st.valid_from, st.valid_to, ${values} from ${SHARED_JOIN} where st.kind = '${tree}' and q.kind = '${REVISION}'${isBeside ? ' and e.document is not null' : ''}`;
}

/** Time of the first kept snapshot that has it: as its own, while the change request was under way, or as what is shared. */
function firstSeenSql(kind: KindName): string {
  const own = `(select f.valid_from from resources o join versions f on f.rid = o.rid join snapshots s on s.id = f.valid_from
    where o.kind = '${kind}' and o.key = ${SHARED_KEY} order by f.valid_from limit 1)`;
  return `(select s.started_at from snapshots s where s.id = min(st.valid_from, coalesce(${own}, st.valid_from)))`;
}

/** What a version holds and where it stands, as SQL for each column. */
export interface HeldSql {
  readonly body: string;
  readonly text: string;
  readonly object: string;
  readonly size: string;
  readonly parent: string;
  readonly position: string;
}

/** Each column as a function of its name gives it. */
export function heldSql(of: (column: keyof HeldSql) => string): HeldSql {
  return {
    body: of('body'),
    text: of('text'),
    object: of('object'),
    size: of('size'),
    parent: of('parent'),
    position: of('position'),
  };
}

/**
 * SQL that is true for a resource, by its alias, that some change request shows as its space did at one of these snapshots: then it is
 * none of its own, though it is there. With what a version of it holds, only where that is what is shared.
 */
export function sharedAtSql(resource: string, snapshots: readonly string[], held?: HeldSql): string {
  const holds = snapshots.map((at) => `(${holdsAtSql('st', at)})`).join(' or ');
  const cases = SHARED.map(({ kind, tree, number }) => {
    const isBeside = number === 'documents';
    const revision = isBeside
      ? `(select page.scope from resources page where page.rid = ${resource}.scope)`
      : `${resource}.scope`;
    const same = held === undefined ? '' : isBeside ? sameSql('e.document', held.body) : isHeldSql(held);
    return `when '${kind}' then exists (${sharedTwinSql(resource, { revision, tree })} and (${holds})${isBeside ? ' and e.document is not null' : ''}${same})`;
  });
  return `case ${resource}.kind ${cases.join(' ')} else 0 end`;
}

/** The page above is told by its id: what is shared stands below that of the space. */
function isHeldSql({ body, text, object, size, parent, position }: HeldSql): string {
  const idOf = (rid: string): string => `(select a.id from resources a where a.rid = ${rid})`;
  const places = ` and e.object is ${object} and e.size is ${size} and e.position is ${position} and ${idOf('e.parent')} is ${idOf(parent)}`;
  return sameSql('e.body', body) + sameSql('e.text', text) + places;
}

function sameSql(one: string, other: string): string {
  return ` and (${one} is ${other} or ${hashSql(one)} = ${hashSql(other)})`;
}

/**
 * What a settled change request showed as its space did and has no more, proved by a tombstone `t` where no version ends: it is found
 * by the tree `st` that ended there.
 */
export const SHARED_GONE = `shared_trees st cross join resources q on q.rid = st.rid cross join shared_entries e on ${OF_TREE}
  cross join resources p on p.rid = e.rid cross join resources x on x.kind = st.kind and x.key = ${SHARED_KEY}
  cross join tombstones t on t.rid = x.rid and t.snapshot = st.valid_to
  and not exists (select 1 from versions o where o.rid = t.rid and o.valid_to = t.snapshot)`;

/** SQL of how many resources of a kind are shared now; none for a kind that never is. */
export function sharedCountsSql(kind: KindName): string[] {
  return SHARED.filter((shared) => shared.kind === kind).map(
    ({ tree, number }) =>
      `(select coalesce(sum(${number}), 0) from shared_trees where kind = '${tree}' and valid_to is null)`,
  );
}

/** SQL that finds the entries of a revision's trees which are of the same page or file as a resource, by its alias. */
function sharedTwinSql(
  resource: string,
  { revision, tree }: Pick<Shared, 'tree'> & { readonly revision: string },
): string {
  return `select 1 from shared_trees st join resources p on p.kind = '${SHARED_KINDS[tree].main}' and p.key = ${resource}.space || '/' || ${resource}.id
    join shared_entries e on ${OF_TREE} and e.rid = p.rid where st.rid = ${revision} and st.kind = '${tree}'`;
}
