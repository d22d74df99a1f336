// What a restore would not bring back, and what drills found: the ledger over everything that is there, as SQL.
import { kindNames, kindOf } from '../../contract/index.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import type { ReportView } from './dictionary-row.ts';
import { sharedRowsOf } from './shared-rows.ts';

interface Claim {
  readonly kind: string;
  readonly field: string;
  readonly class: 'best-effort' | 'lost';
  readonly why: string;
}

/** The contract's words on what does not come back exactly; what every new resource has of its own is no loss. */
function claims(): Claim[] {
  return kindNames.flatMap((kind) =>
    Object.entries(kindOf(kind).recovery ?? {}).flatMap(([field, recovery]): Claim[] => {
      if (recovery.as === 'best-effort') return [{ kind, field, class: 'best-effort', why: recovery.how }];
      return recovery.given === true ? [] : [{ kind, field, class: 'lost', why: recovery.why }];
    }),
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** `a.b` as a path of SQLite; the whole for `*`. */
function pathOf(field: string): string {
  return field === '*'
    ? '$'
    : `$${field
        .split('.')
        .map((step) => `."${step}"`)
        .join('')}`;
}

const ledgerRows = (): string =>
  claims()
    .map((claim) => [claim.kind, claim.field, pathOf(claim.field), claim.class, claim.why].map(quoted).join(', '))
    .map((row) => `(${row})`)
    .join(', ');

const whatIfLost: ReportView = {
  name: 'what_if_lost',
  description:
    'what a restore into an empty organization would not bring back exactly, of everything in the snapshot that is shown',
  columns: [
    { name: 'kind', description: 'kind of the resource' },
    { name: 'id', description: 'id on the platform' },
    { name: 'key', description: 'identifying path within the kind' },
    { name: 'space', description: 'id of its space; null outside spaces' },
    { name: 'field', description: 'the field; * for the whole resource' },
    { name: 'class', description: 'lost, or best-effort' },
    { name: 'why', description: 'why it is lost, or how it comes back' },
    { name: 'value', description: 'what stands there now; JSON where it is more than one value' },
  ],
  sql: (at, { field }) => {
    const rows = (
      source: string,
      version: string,
    ): string => `select r.kind as kind, r.id as id, r.key as key, r.space as space,
  l.field as field, l.class as class, l.why as why, case when l.field <> '*' then ${field('b.data', `${version}.body`, 'l.path')} end as value
from ledger l join ${source} and ${holdsAtSql(version, at)}
left join bodies b on b.bid = ${version}.body
where l.field = '*' or coalesce(${field('b.data', `${version}.body`, 'l.path')}, '') not in ('', 0, '[]', '{}')`;
    const shared = sharedRowsOf(kindNames).map(({ sql }) => rows(`(${sql}) r on r.kind = l.kind`, 'r'));
    const own = rows('resources r on r.kind = l.kind join versions v on v.rid = r.rid', 'v');
    return `with ledger (kind, field, path, class, why) as (values ${ledgerRows()})\n${[own, ...shared].join('\nunion all ')}`;
  },
};

const drillDifferences: ReportView = {
  name: 'drill_differences',
  description:
    'where a drill found something that differs from its snapshot; at most 1,000 of each drill, the exact ones first',
  columns: [
    { name: 'drill', description: 'number of the drill' },
    { name: 'snapshot', description: 'snapshot that was rehearsed' },
    { name: 'at', description: 'time' },
    { name: 'kind', description: 'kind of the resource' },
    { name: 'key', description: 'identifying path within the kind' },
    { name: 'field', description: 'the field; * when the resource was missing' },
    { name: 'class', description: 'exact: the drill did not pass for it; bestEffort: it is told' },
    { name: 'expected', description: 'what the snapshot has' },
    { name: 'got', description: 'what came back' },
  ],
  sql: () => `select d.id as drill, d.snapshot as snapshot, d.at as at, x.value ->> '$.kind' as kind, x.value ->> '$.key' as key,
  x.value ->> '$.field' as field, x.value ->> '$.class' as class, x.value ->> '$.expected' as expected, x.value ->> '$.got' as got
from drills d, json_each(iif(json_valid(d.report), d.report, '{}'), '$.differences') x`,
};

/** Views about restores. */
export const lossViews: readonly ReportView[] = [whatIfLost, drillDifferences];
