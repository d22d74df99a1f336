// Rows about texts that name other rows: are those there?
import type { Pieces } from '../../base/index.ts';
import { kindNames } from '../../contract/index.ts';
import { HASH_TABLES, listedInOrderSql } from '../bodies/body-hash.ts';
import type { Mirror } from '../database/database.ts';
import { wordsSql } from '../database/words-sql.ts';
import { isSharedKind, OF_TREE, SHARED_KINDS } from '../observe/shared-trees.ts';
import type { CheckProblem } from './check.ts';

const MOST_SHOWN = 20;

interface Rule {
  readonly what: string;
  readonly problem: string;
  readonly sql: string;
}

const MAIN = `case c.kind ${kindNames
  .filter(isSharedKind)
  .map((kind) => `when '${kind}' then '${SHARED_KINDS[kind].main}'`)
  .join(' ')} end`;

const RULES: readonly Rule[] = [
  ...['body', 'text'].map((role) => ({
    what: 'versions',
    problem: 'names a row that is not in bodies',
    sql: `select vid as id from versions where ${role} not in (select bid from bodies) and ${role} not in (select bid from superseded)`,
  })),
  ...['body', 'text', 'document'].map((role) => ({
    what: 'shared_entries',
    problem: 'names a row that is not in bodies',
    sql: `select series || '/' || rid as id from shared_entries where ${role} not in (select bid from bodies) and ${role} not in (select bid from superseded)`,
  })),
  {
    what: 'shared_entries',
    problem: 'names a row that is not in resources',
    sql: `select series || '/' || rid as id from shared_entries where parent not in (select rid from resources)`,
  },
  {
    what: 'versions',
    problem: 'is of what the change request shows as its space did, too',
    sql: `select v.vid as id from resources c cross join versions v on v.rid = c.rid cross join shared_trees st on st.rid = c.scope and st.kind = c.kind
      and st.valid_from < coalesce(v.valid_to, st.valid_from + 1) and v.valid_from < coalesce(st.valid_to, v.valid_from + 1)
      cross join resources p on p.kind = ${MAIN} and p.key = c.space || '/' || c.id cross join shared_entries e on ${OF_TREE} and e.rid = p.rid
      where c.kind in (${wordsSql(kindNames.filter(isSharedKind))})`,
  },
  {
    what: 'shared_trees',
    problem: 'says that it has another number of entries than there are',
    sql: `select tid as id from shared_trees st where (st.amount, st.documents) is not
      (select count(*), count(e.document) from shared_entries e where ${OF_TREE})`,
  },
  {
    what: 'versions',
    problem: 'names a row that is not in resources',
    sql: 'select vid as id from versions where parent not in (select rid from resources)',
  },
  {
    what: 'superseded',
    problem: 'was compressed against a row that is not there',
    sql: 'select bid as id from superseded where base not in (select bid from bodies) and base not in (select bid from superseded)',
  },
  {
    what: 'superseded',
    problem: 'is not known to the body it was compressed against',
    sql: `select s.bid as id from superseded s join bodies b on b.bid = s.base where b.dependent is not s.bid
union select b.bid from bodies b left join superseded s on s.bid = b.dependent where b.dependent is not null and s.base is not b.bid`,
  },
  {
    what: 'superseded',
    problem: 'is plain too',
    sql: 'select bid as id from superseded where bid in (select bid from bodies)',
  },
];

/** Texts that are found by another hash than their own, and those that are not found and would be stored a second time. */
const HASH_RULES: readonly Rule[] = [
  ...HASH_TABLES.map((table) => ({
    what: 'bodies',
    problem: 'is found by a hash that is not its own',
    sql: `select h.bid as id from ${listedInOrderSql(table)} h left join bodies b on b.bid = h.bid where b.hash is not h.hash`,
  })),
  {
    what: 'bodies',
    problem: 'is found by no hash',
    sql: `select bid as id from bodies where ${HASH_TABLES.map((table) => `bid not in (select bid from ${table})`).join(' and ')}`,
  },
];

/** Rows that name rows which are not there. */
export function* bodyReferences(mirror: Mirror): Pieces<CheckProblem[]> {
  const rules = hasHashes(mirror) ? [...RULES, ...HASH_RULES] : RULES;
  const problems: CheckProblem[] = [];
  for (const { what, problem, sql } of rules) {
    const found = mirror.store.prepare<{ id: number | string }>(`${sql} limit ${MOST_SHOWN}`).all();
    problems.push(...found.map(({ id }) => ({ what: 'reference' as const, which: `${what} ${id}`, problem })));
    yield;
  }
  return problems;
}

/** False for a mirror that an earlier program wrote and none has written to since. */
export function hasHashes({ store }: Pick<Mirror, 'store'>): boolean {
  return store.prepare(`select 1 from sqlite_schema where name = 'body_hashes'`).get() !== undefined;
}
