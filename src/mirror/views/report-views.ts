// Views about the mirror itself: which snapshot is shown, what changed in each, what failed.
import type { ReportView } from './dictionary-row.ts';
import { freshness } from './freshness.ts';
import { labelSql, namedLabelSql } from './labels.ts';
import { lossViews } from './loss-views.ts';
import { changeRequestChanges } from './request-changes.ts';

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
  ${namedLabelSql(
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
