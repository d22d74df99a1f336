import type { KindName } from '../../contract/index.ts';
import { jsonSql } from '../bodies/stored-json.ts';
import type { Mirror } from '../database/database.ts';

interface Below {
  /** Number of the resource below which they stand. */
  readonly scope: number;
  readonly kind: KindName;
  /** A field of their own, by a name of the contract. */
  readonly field: string;
}

/** The texts that a field has in what is held below a resource, each once. */
export function textsBelow({ store }: Pick<Mirror, 'store'>, { scope, kind, field }: Below): string[] {
  const value = jsonSql('b.data', `$.${field}`);
  const sql = `select distinct ${value} as value from resources r join versions v on v.rid = r.rid and v.valid_to is null
    join bodies b on b.bid = v.body where r.scope = ? and r.kind = ? order by 1`;
  return store
    .prepare<{ value: unknown }>(sql)
    .all(scope, kind)
    .flatMap((row) => (typeof row.value === 'string' ? row.value : []));
}
