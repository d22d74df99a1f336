// The plain lists of an organization, or of a site: rows with an id, numbered in the order of arrival.
import { listPage, type ListAnswer, notFound } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';

const KEY = {
  teams: 'id',
  custom_fields: 'name',
  translation_settings: 'id',
  saml_providers: 'id',
  openapi_specs: 'slug',
} as const;
const NAME = {
  teams: 'Team',
  custom_fields: 'Custom field',
  translation_settings: 'Translation settings',
  saml_providers: 'SAML provider',
  openapi_specs: 'OpenAPI specification',
} as const;

type Table = keyof typeof KEY;

/** What the rows of a list stand in: the column that names it, and its id. */
type Holder = readonly ['organization' | 'site', string];

/** Which of them: an SQL condition over its named parameters. */
export interface RowFilter {
  sql: string;
  parameters: Readonly<Record<string, string>>;
}

const ALL: RowFilter = { sql: '1', parameters: {} };

/** One page of the rows that stand in something, oldest first. */
export function rowPage<Row, Item>(
  context: PlatformContext,
  list: {
    table: Table | 'share_links';
    of: Holder;
    query: { page?: string; limit?: number };
    filter?: RowFilter;
  },
  item: (row: Row) => Item,
): ListAnswer<Item> {
  const { table, of, filter = ALL } = list;
  const [column, holder] = of;
  const bound = { ...filter.parameters, holder };
  const where = `from ${table} t where t.${column} = @holder and ${filter.sql}`;
  return listPage<Row & { seq: number }, Item>(
    { list: [table, holder], query: list.query },
    {
      count: () => context.db.prepare<{ n: number }>(`select count(*) as n ${where}`).get(bound)?.n ?? 0,
      rows: (after, limit) =>
        context.db
          .prepare<Row & { seq: number }>(`select t.* ${where} and t.seq > @after order by t.seq limit @limit`)
          .all({ ...bound, after: Number(after?.[0] ?? 0), limit }),
      key: (row) => [row.seq],
      item,
    },
  );
}

/** A row of the organization by what its path names; throws a 404. */
export function findRow<Row>(context: PlatformContext, table: Table, at: { organization: string; key: string }): Row {
  const row = context.db
    .prepare<Row>(`select * from ${table} where organization = ? and ${KEY[table]} = ?`)
    .get(at.organization, at.key);
  if (!row) throw notFound(NAME[table], at.key);
  return row;
}

export function deleteRow(context: PlatformContext, table: Table, id: string): undefined {
  context.db.prepare(`delete from ${table} where id = ?`).run(id);
  return undefined;
}
