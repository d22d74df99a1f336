// Links from one space into another: where they lead is told by a list below the one, which stands still while the other changes.
import type { Pieces } from '../../base/index.ts';
import { jsonSql } from '../bodies/stored-json.ts';
import type { Mirror } from '../database/database.ts';
import { rangesOf, withinSql } from '../database/ranges.ts';

const KINDS = `r.kind in ('space', 'page', 'file')`;

const GONE = `select distinct r.key from versions v cross join resources r on r.rid = v.rid and ${KINDS}
where v.valid_to > ? and not exists (select 1 from versions n where n.rid = v.rid and n.valid_to is null)`;

const BACK = `select distinct r.key from versions v cross join resources r on r.rid = v.rid and ${KINDS}
where v.valid_from > ? and v.valid_to is null and exists (select 1 from versions o where o.rid = v.rid and o.valid_to < v.valid_from)
  and not exists (select 1 from versions o where o.rid = v.rid and o.valid_to = v.valid_from)`;

const organizationOf = (body: string): string => jsonSql(`${body}.data`, '$.organization');

/** Spaces that have gone to another organization. */
const TRANSFERRED = `select r.key, ${organizationOf('b')} as organization from versions v cross join resources r on r.rid = v.rid and r.kind = 'space'
cross join bodies b on b.bid = v.body where v.valid_from > ? and v.valid_to is null and exists (select 1 from versions o
  join bodies f on f.bid = o.body where o.rid = v.rid and o.valid_to = v.valid_from and ${organizationOf('f')} <> ${organizationOf('b')})`;

const field = (path: string): string => jsonSql('b.data', path);
const SPACE = field('$.targetReference.space.id');
const ORGANIZATION = field('$.targetReference.organization.id');
const PART = `coalesce(${field('$.targetReference.page.id')}, ${field('$.targetReference.file.id')})`;
const among = (list: string): string => `in (select value from json_each(@${list}))`;

/** Of what is gone the platform may tell without the space in which it stood. */
const LINKING = `select distinct r.scope from resources r cross join versions v on v.rid = r.rid and v.valid_to is null
cross join bodies b on b.bid = v.body
where r.kind = 'link' and ${withinSql('r.rid')} and coalesce(${SPACE}, '') <> r.space and case ${field('$.status')} is 'broken'
  when false then ${SPACE} ${among('spaces')} and coalesce(${SPACE} || '/' || ${PART}, ${SPACE}) ${among('gone')}
    or exists (select 1 from json_each(@transferred) t where t.key = ${SPACE} and t.value <> ${ORGANIZATION})
  else coalesce(${PART}, ${SPACE}) ${among('back')} or @anySpace and ${field('$.targetReference.kind')} = 'space' and ${SPACE} is null end`;

// So many links are looked at in some ten milliseconds.
const AT_ONCE = 5000;

/**
 * Numbers of the spaces with a link into another one that leads to what went or was transferred since a snapshot, or to what came
 * back and was called broken. Looks at every link, when there is anything of the kind.
 */
export function* spacesLinkingToMoved(mirror: Mirror, since: number): Pieces<number[]> {
  const keys = (sql: string): string[] =>
    mirror.store
      .prepare<{ key: string }>(sql)
      .all(since)
      .map(({ key }) => key);
  const [gone, back] = [keys(GONE), keys(BACK)];
  const transferred = mirror.store.prepare<{ key: string; organization: string }>(TRANSFERRED).all(since);
  if (gone.length + back.length + transferred.length === 0) return [];
  const bound = {
    gone: JSON.stringify(gone),
    spaces: JSON.stringify([...new Set(gone.map((key) => key.split('/', 1)[0]))]),
    transferred: JSON.stringify(Object.fromEntries(transferred.map((space) => [space.key, space.organization]))),
    back: JSON.stringify(back.map((key) => key.split('/').at(-1))),
    anySpace: back.some((key) => !key.includes('/')) ? 1 : 0,
  };
  const linking = mirror.store.prepare<{ scope: number }>(LINKING);
  const found = new Set<number>();
  for (const range of rangesOf(mirror, { table: 'resources', column: 'rid', size: AT_ONCE })) {
    yield;
    for (const { scope } of linking.all({ ...bound, ...range })) found.add(scope);
  }
  return [...found];
}
