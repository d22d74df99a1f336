// Views about the mirror itself: which snapshot is shown, what changed in each, what failed.
import type { BodySql } from '../bodies/stored-text.ts';
import type { ReportView } from './dictionary-row.ts';
import { freshness } from './freshness.ts';
import { lossViews } from './loss-views.ts';
import { changeRequestChanges } from './request-changes.ts';

/** What a label is made of. */
export interface LabelSource {
  readonly bodies: BodySql;
  /** Columns of the JSON, plain and by its number. */
  readonly body: readonly [plain: string, bid: string];
  /** An expression for the id. */
  readonly id: string;
  /** The last snapshot whose names count. */
  readonly until: string | number;
}

/** SQL for what people call a resource; a text whatever its values are. */
export function labelSql(source: LabelSource): string {
  const named = ['title', 'name', 'subject', 'user.displayName'].map((path) => fieldSql(source, path));
  const words = fieldSql(source, 'body.markdown');
  const begun = `substr(${words}, 1, ${WORDS}) || iif(length(${words}) > ${WORDS}, '…', '')`;
  return `cast(coalesce(${named.join(', ')}, ${begun}, ${leadsSql(source)}, ${source.id}) as text)`;
}

/** Characters of a comment that stand for it. */
const WORDS = 60;

function fieldSql({ bodies, body: [plain, bid] }: LabelSource, path: string): string {
  return bodies.field(plain, bid, `'$.${path}'`);
}

/** Where a link leads, and from which page; null for all else. */
function leadsSql(source: LabelSource): string {
  const names = ['page.title', 'file.name', 'url', 'reusableContent.title', 'openAPISpec.slug', 'user.displayName'];
  const targets = names.map((path) => fieldSql(source, `targetReference.${path}`));
  const containers = (['space', 'collection'] as const).flatMap((kind) => {
    const id = fieldSql(source, `targetReference.${kind}.id`);
    return [titleSql(source, kind, id), id];
  });
  const from = `coalesce(', on ' || ${fieldSql(source, 'locationReferences[0].page.title')}, '')`;
  return `'to ' || coalesce(${[...targets, ...containers].join(', ')}) || ${from}`;
}

/** The last title of what a link names by its id alone; null where the mirror does not hold it. */
function titleSql({ bodies, until }: LabelSource, kind: 'space' | 'collection', id: string): string {
  return `(select ${bodies.field('tb.data', 'tv.body', `'$.title'`)} from resources t
    join versions tv on tv.rid = t.rid left join bodies tb on tb.bid = tv.body
    where t.kind = '${kind}' and t.key = ${id} and tv.valid_from <= ${until} order by tv.valid_from desc limit 1)`;
}

/**
 * The label of a row of `resources r`: of a revision, which has no name, whose pages it holds, of all else that which `own` gives.
 * Owners are named up to the snapshot `until`.
 */
export function ownerLabelSql(own: string, { bodies, until }: Pick<LabelSource, 'bodies' | 'until'>): string {
  const owner = labelSql({ bodies, body: ['ob.data', 'ov.body'], id: 'r.id', until });
  const name = `select ${owner} from resources o join versions ov on ov.rid = o.rid left join bodies ob on ob.bid = ov.body
    where o.key = r.key and o.kind = iif(r.kind = 'revision', 'space', 'change-request') and ov.valid_from <= ${until}
    order by ov.valid_from desc limit 1`;
  return `case when r.kind in ('revision', 'change-request-revision') then 'pages of "' || coalesce((${name}), r.id) || '"' else ${own} end`;
}

const shown: ReportView = {
  name: 'shown_snapshot',
  description: 'the one snapshot that the views show: the last sealed one, or that of `query --at`',
  columns: [
    { name: 'id', description: 'number of the snapshot' },
    { name: 'state', description: 'complete, partial or suspect' },
    { name: 'started_at', description: 'time when its walk began; reports count ages from here' },
    { name: 'sealed_at', description: 'time when it was sealed' },
  ],
  sql: (at) => `select id, state, started_at, sealed_at from snapshots where id = ${at}`,
};

const changes: ReportView = {
  name: 'changes',
  description: 'a feed of what was added, changed and removed, up to the snapshot that is shown; filter it by snapshot',
  columns: [
    { name: 'snapshot', description: 'number of the snapshot whose walk saw it first' },
    { name: 'at', description: 'time when that walk began' },
    { name: 'change', description: 'added (or back again), changed, removed' },
    { name: 'kind', description: 'kind of the resource' },
    { name: 'id', description: 'id on the platform' },
    {
      name: 'label',
      description: 'title, name, subject, first words or where a link leads, as they are now or were last',
    },
    { name: 'space', description: 'id of its space; null outside spaces' },
    { name: 'key', description: 'identifying path within the kind' },
  ],
  sql: (
    at,
    bodies,
  ) => `select c.snapshot as snapshot, s.started_at as at, c.change as change, r.kind as kind, r.id as id,
  ${ownerLabelSql(
    `(select ${labelSql({ bodies, body: ['b.data', 'n.body'], id: 'r.id', until: at })} from versions n left join bodies b on b.bid = n.body
    where n.rid = c.rid and n.valid_from <= ${at} order by n.valid_from desc limit 1)`,
    { bodies, until: at },
  )} as label,
  r.space as space, r.key as key
from (select v.valid_from as snapshot, v.rid as rid,
    case when exists (select 1 from versions o where o.rid = v.rid and o.valid_to = v.valid_from) then 'changed' else 'added' end as change
  from versions v where v.valid_from <= ${at}
  union all select v.valid_to, v.rid, 'removed' from versions v where v.valid_to <= ${at}
    and not exists (select 1 from versions o where o.rid = v.rid and o.valid_from = v.valid_to)) c
join resources r on r.rid = c.rid left join snapshots s on s.id = c.snapshot`,
};

const failures: ReportView = {
  name: 'failures',
  description: 'what a walk could not read: which request, which error',
  columns: [
    { name: 'id', description: 'number of the failure' },
    { name: 'snapshot', description: 'number of the snapshot' },
    { name: 'kind', description: 'kind of what could not be read' },
    { name: 'resource', description: 'its identifying path, or that of what it lies below' },
    { name: 'request', description: 'method and path of the request' },
    { name: 'status', description: 'HTTP status; null when there was no answer' },
    { name: 'code', description: 'stable code of the error, DM_…' },
    { name: 'error', description: 'the error in words' },
    { name: 'at', description: 'time' },
  ],
  sql: () => 'select id, snapshot, kind, resource, request, status, code, error, at from requests_failed',
};

/** Every view about the mirror itself. */
export const reportViews: readonly ReportView[] = [
  shown,
  changes,
  changeRequestChanges,
  freshness,
  failures,
  ...lossViews,
];
