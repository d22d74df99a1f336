// The feed of what each snapshot brought.
import type { BodySql } from '../bodies/stored-text.ts';
import { wordsSql } from '../database/words-sql.ts';
import { equalVersionsSql } from '../reading/equal-versions.ts';
import { MERGED, requestContent } from '../reading/own-news.ts';
import type { ReportView } from './dictionary-row.ts';
import { heldSql, SHARED_GONE, sharedAtSql } from './shared-rows.ts';
import { labelSql, namedLabelSql } from './labels.ts';

/** Key of the change request that the content `r` stands in. */
const REQUEST = `r.space || '/' || substr(r.key, length(r.space) + 2, instr(substr(r.key, length(r.space) + 2) || '/', '/') - 1)`;

const status = (bodies: BodySql, version: string): string =>
  bodies.field(`${version}b.data`, `${version}v.body`, `'$.status'`);

// What a settled change request shows as its space did is no resource of its own, though it is there.
const AROUND = ['c.snapshot', 'c.snapshot - 1'];
const OF_VERSION = Object.values(heldSql((name) => `v.${name} as ${name}`)).join(', ');
const OF_NONE = Object.values(heldSql(() => 'null')).join(', ');
const WAS_SHARED = `c.change = 'added' and ${sharedAtSql('r', ['c.snapshot - 1'])} or c.change = 'removed' and ${sharedAtSql('r', ['c.snapshot'])}`;

// What a walk saw change and change back, or ended and found again, begins anew as what it was. By the order of the index: to look
// through all of a resource takes long where it has many.
const SINCE_BEFORE = `(select case when o.valid_to < v.valid_from then 'added' when ${equalVersionsSql('o', 'v')} then 'same' else 'changed' end
    from versions o where o.rid = v.rid and o.valid_from < v.valid_from order by o.valid_from desc limit 1)`;

/** True for content of a change request that itself is among the changes of the same snapshot, as merged. */
const isOfMerged = (bodies: BodySql): string => `r.kind in (${wordsSql(requestContent)})
  and exists (select 1 from resources q join versions qv on qv.rid = q.rid left join bodies qb on qb.bid = qv.body
    where q.kind = 'change-request' and q.key = ${REQUEST} and c.snapshot in (qv.valid_from, qv.valid_to) and ${status(bodies, 'q')} = '${MERGED}')`;

export const changes: ReportView = {
  name: 'changes',
  description:
    'a feed of what was added, changed and removed, up to the snapshot that is shown; filter it by snapshot. Each is compared with ' +
    'the kept one before it: from a snapshot that was forgotten on it is not whole. What came with a change request that was merged ' +
    'is told as what changed in the space, not once more as content of the request',
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
    {
      name: 'status',
      description:
        'of a change request, as it was then: draft, open, merged, archived; null for everything else, and, where it was changed since, in other tools than docmirror query',
    },
  ],
  sql: (
    at,
    bodies,
  ) => `select c.snapshot as snapshot, s.started_at as at, iif(${WAS_SHARED}, 'changed', c.change) as change, r.kind as kind, r.id as id,
  ${namedLabelSql(
    `(select ${labelSql({ bodies, body: ['b.data', 'n.body'], id: 'r.id', until: at })} from versions n left join bodies b on b.bid = n.body
    where n.rid = c.rid and n.valid_from <= ${at} order by n.valid_from desc limit 1)`,
    { bodies, until: at },
  )} as label,
  r.space as space, r.key as key,
  iif(r.kind = 'change-request', (select ${status(bodies, 'n')} from versions nv left join bodies nb on nb.bid = nv.body
    where nv.rid = c.rid and nv.valid_from <= c.snapshot order by nv.valid_from desc limit 1), null) as status
from (select v.valid_from as snapshot, v.rid as rid, ${OF_VERSION},
    coalesce(${SINCE_BEFORE}, 'added') as change
  from versions v where v.valid_from <= ${at}
  union all select v.valid_to, v.rid, ${OF_VERSION}, 'removed' from versions v where v.valid_to <= ${at}
    and not exists (select 1 from versions o where o.rid = v.rid and o.valid_from = v.valid_to)
  union all select st.valid_to, t.rid, ${OF_NONE}, 'removed' from ${SHARED_GONE} where st.valid_to <= ${at}) c
join resources r on r.rid = c.rid left join snapshots s on s.id = c.snapshot
where c.change <> 'same' and not (${isOfMerged(bodies)}) and not (${sharedAtSql(
    'r',
    AROUND,
    heldSql((name) => `c.${name}`),
  )})`,
};
