// What a change request would change: its pages against those of its space, page by page.
import { UNDER_WAY_STATUSES } from '../../contract/index.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import { wordsSql } from '../database/words-sql.ts';
import type { ReportView } from './dictionary-row.ts';
import type { BodySql } from '../bodies/stored-text.ts';

type Sql = (at: string | number, bodies: BodySql) => string;

/** A field of the body of a version: `p` for the version `pv` with its body `pb`. */
const FIELD = (bodies: BodySql, name: string, field: string): string =>
  bodies.field(`${name}b.data`, `${name}v.body`, `'$.${field}'`);

/** Requests that are not merged nor archived, with the number of their resource; not one whose content was not read since it was. */
const open: Sql = (at, bodies) => `select q.rid as rid, q.key as key, q.space as space, q.id as id,
  ${FIELD(bodies, 'q', 'status')} as status, ${FIELD(bodies, 'q', 'outdated')} as outdated
from resources q join versions qv on qv.rid = q.rid and ${holdsAtSql('qv', at)} left join bodies qb on qb.bid = qv.body
where q.kind = 'change-request' and ${FIELD(bodies, 'q', 'status')} in (${wordsSql(UNDER_WAY_STATUSES)})
  and not exists (select 1 from resources t join shared_trees st on st.rid = t.rid and ${holdsAtSql('st', at)}
    where t.kind = 'change-request-revision' and t.key = q.key)`;

const written: Sql = (at, bodies) => `select o.*, c.id as page,
  case when m.rid is null or mv.vid is null then 'added' else 'changed' end as change, ${FIELD(bodies, 'c', 'title')} as title
from open_requests o join resources c on c.kind = 'change-request-page' and c.key between o.key || '/' and o.key || '0'
join versions cv on cv.rid = c.rid and ${holdsAtSql('cv', at)} left join bodies cb on cb.bid = cv.body
left join resources m on m.kind = 'page' and m.key = c.space || '/' || c.id
left join versions mv on mv.rid = m.rid and ${holdsAtSql('mv', at)} left join bodies mb on mb.bid = mv.body
where mv.vid is null or cv.text is not mv.text or ${FIELD(bodies, 'c', 'title')} is not ${FIELD(bodies, 'm', 'title')}`;

const removed: Sql = (
  at,
  bodies,
) => `select o.*, p.id as page, 'removed' as change, ${FIELD(bodies, 'p', 'title')} as title
from open_requests o join resources t on t.kind = 'change-request-revision' and t.key = o.key
join versions tv on tv.rid = t.rid and ${holdsAtSql('tv', at)}
join resources p on p.kind = 'page' and p.space = o.space
join versions pv on pv.rid = p.rid and ${holdsAtSql('pv', at)} left join bodies pb on pb.bid = pv.body
where not exists (select 1 from resources c join versions cv on cv.rid = c.rid and ${holdsAtSql('cv', at)}
  where c.kind = 'change-request-page' and c.key = o.key || '/' || p.id)`;

export const changeRequestChanges: ReportView = {
  name: 'change_request_changes',
  description:
    'pages that a draft or open change request adds, changes or removes against its space as it stands; where it is outdated, ' +
    'what the space has changed since shows too',
  columns: [
    { name: 'space', description: 'id of the space' },
    { name: 'change_request', description: 'id of the change request' },
    { name: 'status', description: 'draft or open' },
    { name: 'outdated', description: '1 when it is behind the space' },
    { name: 'page', description: 'id of the page: one that was added stands in change_request_pages alone' },
    { name: 'change', description: 'added, changed (title or text), removed' },
    { name: 'title', description: 'title of the page, as the change request has it where it has it' },
  ],
  sql: (at, bodies) => `with open_requests as (${open(at, bodies)})
select space, id as change_request, status, outdated, page, change, title from (${written(at, bodies)} union all ${removed(at, bodies)})`,
};
