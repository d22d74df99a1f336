// Saved reports over the views. They run in the plain sqlite3 shell too; README shows each.

/** A report by name: what it tells, and its SQL. */
export interface Recipe {
  readonly name: string;
  readonly about: string;
  readonly sql: string;
}

export const recipes: readonly Recipe[] = [
  {
    name: 'stale-pages',
    about: 'documents that were not edited for half a year, oldest first',
    sql: `select s.title as space, p.title, p.path, coalesce(p.updated_at, p.created_at, v.first_seen) as last_edit
from pages p join spaces s on s.id = p.space
left join (select id, space, min(valid_from_at) as first_seen from pages_history group by id, space) v on v.id = p.id and v.space = p.space
where p.type = 'document' and coalesce(p.updated_at, p.created_at, v.first_seen) < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-180 days')
order by last_edit`,
  },
  {
    name: 'broken-links',
    about: 'broken links by space, today',
    sql: `select s.title as space, count(*) as broken from links l join spaces s on s.id = l.space
where l.status = 'broken' group by s.id order by broken desc`,
  },
  {
    name: 'broken-link-trend',
    about: 'broken links at each snapshot',
    sql: `select n.id as snapshot, n.started_at as at, count(l.id) as broken
from snapshots n left join links_history l on l.status = 'broken' and l.valid_from <= n.id and (l.valid_to is null or l.valid_to > n.id)
where n.state in ('complete', 'partial', 'suspect') group by n.id order by n.id`,
  },
  {
    name: 'orphan-files',
    about: 'files that no page of their space names',
    sql: `select s.title as space, f.name, f.size from files f join spaces s on s.id = f.space
where not exists (select 1 from pages p where p.space = f.space and (p.markdown like '%/files/' || f.id || '%' or p.raw like '%' || f.id || '%'))
order by f.size desc`,
  },
  {
    name: 'largest-spaces',
    about: 'spaces by number of pages, characters of text and bytes of files',
    sql: `select s.title as space, count(p.id) as pages, coalesce(sum(length(p.markdown)), 0) as characters,
  (select coalesce(sum(f.size), 0) from files f where f.space = s.id) as file_bytes
from spaces s left join pages p on p.space = s.id group by s.id order by characters desc`,
  },
  {
    name: 'who-can-see-what',
    about: 'members and the spaces they can see, with the permission',
    sql: `select m.user_name as member, s.title as space, x.permission
from space_members x join members m on m.id = x.member and m.organization = x.organization join spaces s on s.id = x.space
order by member, space`,
  },
  {
    name: 'change-request-age',
    about: 'open and draft change requests, oldest first',
    sql: `select s.title as space, c.number, c.subject, c.status, c.created_by_name as author,
  cast(julianday('now') - julianday(c.created_at) as integer) as days
from change_requests c join spaces s on s.id = c.space where c.status in ('open', 'draft') order by days desc`,
  },
  {
    name: 'comment-backlog',
    about: 'open comments by space, with the age of the oldest in days',
    sql: `select s.title as space, count(*) as open, cast(julianday('now') - julianday(min(c.posted_at)) as integer) as oldest_days
from comments c join spaces s on s.id = c.space where c.status = 'open' group by s.id order by open desc`,
  },
  {
    name: 'pages-without-description',
    about: 'documents without a description, by space',
    sql: `select s.title as space, p.title, p.path from pages p join spaces s on s.id = p.space
where p.type = 'document' and coalesce(p.description, '') = '' order by space, p.path`,
  },
  {
    name: 'duplicates',
    about: 'pages with the same text',
    sql: `select count(*) as copies, min(p.title) as title, group_concat(s.title || ' / ' || p.path, '; ') as places
from pages p join spaces s on s.id = p.space where length(p.markdown) > 200 group by p.markdown having count(*) > 1 order by copies desc`,
  },
  {
    name: 'growth-per-week',
    about: 'pages and comments that appeared, by week',
    sql: `select week, sum(pages) as new_pages, sum(comments) as new_comments from (
  select strftime('%Y-%W', min(valid_from_at)) as week, 1 as pages, 0 as comments from pages_history group by space, id
  union all select strftime('%Y-%W', posted_at), 0, 1 from comments) group by week order by week`,
  },
  {
    name: 'most-edited-pages',
    about: 'pages with the most versions',
    sql: `select s.title as space, max(h.title) as title, count(*) as versions from pages_history h join spaces s on s.id = h.space
group by h.space, h.id order by versions desc, title limit 50`,
  },
  {
    name: 'spaces-without-site',
    about: 'spaces that no site shows',
    sql: `select s.title as space, s.visibility from spaces s where s.id not in (select space from site_spaces where space is not null) order by s.title`,
  },
  {
    name: 'contributors',
    about: 'people by comments, replies and change requests',
    sql: `select name, sum(comments) as comments, sum(replies) as replies, sum(requests) as change_requests from (
  select posted_by_name as name, 1 as comments, 0 as replies, 0 as requests from comments
  union all select posted_by_name, 0, 1, 0 from comment_replies
  union all select created_by_name, 0, 0, 1 from change_requests) group by name order by 2 + 3 + 4 desc, name`,
  },
];

/** A recipe by name; undefined when there is none. */
export function recipeOf(name: string): Recipe | undefined {
  return recipes.find((recipe) => recipe.name === name);
}
