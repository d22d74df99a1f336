// Views about the mirror itself: which snapshot is shown, what changed in each, what failed.
import type { ReportView } from './dictionary-row.ts';
import { freshness } from './freshness.ts';
import { lossViews } from './loss-views.ts';
import { changeRequestChanges } from './request-changes.ts';

/** SQL for what people call a resource, from the values in its JSON and an expression for its id; a text whatever these are. */
export function labelSql(field: (path: string) => string, id: string): string {
  const named = ['$.title', '$.name', '$.subject', '$.user.displayName'].map(field);
  const words = field('$.body.markdown');
  const begun = `substr(${words}, 1, ${WORDS}) || iif(length(${words}) > ${WORDS}, '…', '')`;
  return `cast(coalesce(${named.join(', ')}, ${begun}, ${leadsSql(field)}, ${id}) as text)`;
}

/** Characters of a comment that stand for it. */
const WORDS = 60;

/** Where a link leads, and from which page; null for all else. */
function leadsSql(field: (path: string) => string): string {
  const targets = ['page.title', 'file.name', 'url', 'reusableContent.title', 'openAPISpec.slug'].map((path) =>
    field(`$.targetReference.${path}`),
  );
  return `'to ' || coalesce(${targets.join(', ')}) || coalesce(', on ' || ${field('$.locationReferences[0].page.title')}, '')`;
}

/**
 * The label of a row of `resources r`: of a revision, which has no name, whose pages it holds. `field` reads the JSON of a row of
 * `bodies ob` and `versions ov`, `until` is the last snapshot whose name for them counts.
 */
export function ownerLabelSql(field: (path: string) => string, own: string, until: string | number): string {
  const name = `select ${labelSql(field, 'r.id')} from resources o join versions ov on ov.rid = o.rid left join bodies ob on ob.bid = ov.body
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
    { field },
  ) => `select c.snapshot as snapshot, s.started_at as at, c.change as change, r.kind as kind, r.id as id,
  ${ownerLabelSql(
    (path) => field('ob.data', 'ov.body', `'${path}'`),
    `(select ${labelSql((path) => field('b.data', 'n.body', `'${path}'`), 'r.id')} from versions n left join bodies b on b.bid = n.body
    where n.rid = c.rid and n.valid_from <= ${at} order by n.valid_from desc limit 1)`,
    at,
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
