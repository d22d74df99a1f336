// Saved reports over the views. They run in the plain sqlite3 shell too; README shows each.

import { UNDER_WAY_STATUSES } from '../../contract/index.ts';
import { wordsSql } from '../database/words-sql.ts';
import { unreadInSql } from '../observe/failures.ts';
import { danglingReferences } from './dangling.ts';
import { SEALED } from '../snapshots/sealed-states.ts';

/** A report by name: what it tells, and its SQL. */
export interface Recipe {
  readonly name: string;
  readonly about: string;
  readonly sql: string;
}

/**
 * The spaces, each title that several have with the id behind it, and by its id one without any. What goes through all pages names
 * them last, by a `cross join`, which keeps that order: SQLite itself chooses a slower one.
 */
export const NAMED_SPACES = `(select id, visibility, ${toldApart('title', 'id', 'count(*) over (partition by title) > 1')} as title
  from (select id, visibility, coalesce(nullif(trim(title), ''), id) as title from spaces))`;

/** The file that a link in the table of contents leads to. */
const LED_TO = `iif(json_valid(target), json_extract(target, '$.file'), null)`;

/** SQL of a name that others may have as well, with the id behind it where they do. */
function toldApart(name: string, id: string, isShared: string): string {
  return `${name} || iif(${isShared}, coalesce(' (' || ${id} || ')', ''), '')`;
}

/** Since when a page is as it is, a place among its siblings aside, which it has taken since some of them came or went. */
const UNCHANGED_SINCE = `(select n.started_at from resources r join versions v on v.rid = r.rid join snapshots n on n.id = v.valid_from
  where r.kind = 'page' and r.key = p.space || '/' || p.id and v.valid_from <= p.valid_from
  and not exists (select 1 from versions o where o.rid = v.rid and +o.valid_to = v.valid_from
    and o.body = v.body and o.text is v.text and o.parent is v.parent)
  order by v.valid_from desc limit 1)`;

/** An id that is a word of more texts than this is looked for in the pages of its own space instead. */
const MOST_TEXTS = 1000;

/** Whether the snapshot that is shown is the last one: the full-text index is of that alone. */
const IS_LAST = '(select is_last from shown)';

/**
 * Whether a text of its space has the id of file `f`: the full-text index finds few candidates, which are then read. Null where it
 * cannot tell: the id has no word, or one of too many texts.
 */
const FOUND_BY_WORDS = `case when f.id glob '*[0-9A-Za-z]*' then (
  select case when count(*) < ${MOST_TEXTS} then coalesce(max(r.space = f.space and instr(t.data, f.id) > 0), 0) end
  from (select rowid as vid from pages_search
    where pages_search match 'markdown : "' || replace(f.id, '"', '""') || '"' limit ${MOST_TEXTS}) x
  left join versions v on v.vid = x.vid left join resources r on r.rid = v.rid left join bodies t on t.bid = v.text) end`;

// Bytes. Text that every file of a space is looked for in: below, the reading of it costs less than its words.
const LARGE_TEXT = 65_536;

/** Parts the address of a file from what stands around it, in Markdown and in what of HTML it holds. */
const AROUND_IDS = ["' '", `'"'`, "'('", "')'", "'<'", "'>'", "'?'", "'#'", "'&'", 'char(10)'];

/** The large texts, each with its space; of an earlier snapshot all of them, each of which is then unpacked once. */
const TEXTS = `select space, markdown from pages where not ${IS_LAST} or markdown_bytes > ${LARGE_TEXT}`;

/**
 * The ids of files among the words of these: they are shown, and need not be looked for in texts of megabytes, which were read for
 * each of thousands of files. What is no word of any is looked for all the same.
 */
const WORDS = `select p.space, w.value from texts p join json_each(${wordList('p.markdown')}) w where w.value in (select id from files)`;

/** SQL for a list of the words of a text as JSON, in which a slash is never escaped. */
function wordList(text: string): string {
  const parted = AROUND_IDS.reduce((sql, around) => `replace(${sql}, ${around}, '/')`, text);
  const list = `'[' || replace(json_quote(${parted}), '/', '","') || ']'`;
  return `iif(json_valid(${list}), ${list}, '[]')`;
}

/** The same by the texts themselves. */
const FOUND_BY_READING = `exists (select 1 from pages p where p.space = f.space and instr(p.markdown, f.id) > 0)`;

/** What of ASCII an address has only encoded, and an id may have as it is; the sign that encodes comes first. */
const ENCODED = String.raw`% "#$&+,/:;<=>?@[\]^{|}`;

/** SQL that encodes these signs in a text. */
function encoded(signs: string, text: string): string {
  return Array.from(signs).reduce((sql, sign) => `replace(${sql}, '${sign}', '${encodeURIComponent(sign)}')`, text);
}

/** The id of file `f` as an address has it, in two steps: what is nested deeper, the parser of an older SQLite refuses. */
const ID_IN_ADDRESS = `(select ${encoded(ENCODED.slice(12), 'begun')} from (select ${encoded(ENCODED.slice(0, 12), 'f.id')} as begun))`;

/** Whether a text of its space shows a file by an address in which its id stands otherwise than it is. */
const FOUND_BY_ADDRESS = `f.id glob '*[^0-9A-Za-z_.~-]*' and exists (select 1 from pages p where p.space = f.space
  and instr(p.markdown, '/' || ${ID_IN_ADDRESS}) > 0)`;

/** The same for all files at once that are no word of an earlier snapshot: for one after the other, its texts were gone through each time. */
const READ = `select distinct f.space, f.id from texts p
  cross join unfound f on f.space = p.space where instr(p.markdown, f.id) > 0`;

/**
 * Columns of a view that need no body, for what counts them: SQLite leaves out a join that gives nothing only where nothing is
 * counted, and merges no query that has a limit into another.
 */
function withoutBodies(view: string, columns: string): string {
  return `(select ${columns} from ${view} limit -1)`;
}

export const recipes: readonly Recipe[] = [
  {
    name: 'stale-pages',
    about:
      'documents that were not edited for half a year, oldest first; where the platform tells no time, those that the mirror has seen unchanged for so long',
    // Times are compared as instants, whatever their zones; what is no time, as the text that it is.
    sql: `select s.title as space, p.title, p.path, coalesce(p.updated_at, p.created_at, ${UNCHANGED_SINCE}) as last_edit,
  iif(coalesce(p.updated_at, p.created_at) is null, 'mirror', 'platform') as told_by
from pages_history p cross join ${NAMED_SPACES} s on s.id = p.space
where p.valid_to is null and p.type = 'document'
and coalesce(julianday(last_edit) < (select julianday(started_at, '-180 days') from shown_snapshot),
  last_edit < (select strftime('%Y-%m-%dT%H:%M:%fZ', started_at, '-180 days') from shown_snapshot))
order by julianday(last_edit), last_edit`,
  },
  {
    name: 'broken-links',
    about: 'broken links by space',
    sql: `select s.title as space, count(*) as broken from links l cross join ${NAMED_SPACES} s on s.id = l.space
where l.status = 'broken' group by s.id order by broken desc, s.title`,
  },
  {
    name: 'broken-link-trend',
    about: 'broken links at each snapshot; null where links could not be read, and never were',
    sql: `with moves as (
  select valid_from as id, 1 as step from links_history where status = 'broken'
  union all select valid_to, -1 from links_history where status = 'broken' and valid_to is not null),
steps as (select id, sum(step) as step from (select id, step from moves union all select id, 0 from snapshots) group by id),
sums as (select id, sum(step) over (order by id) as broken from steps),
known as (select min(valid_from) as since from links_history),
unread as (${unreadInSql('link')})
select n.id as snapshot, n.started_at as at,
  case when n.id < coalesce(known.since, n.id + 1) and n.id in (select snapshot from unread) then null else sums.broken end as broken
from known cross join sums join snapshots n on n.id = sums.id
where n.state in ${SEALED} and n.id <= (select id from shown_snapshot) order by n.id`,
  },
  {
    name: 'orphan-files',
    about:
      'files that no page of their space shows: not in its text, nor as its cover, nor as what a link of the table of contents leads to',
    sql: `with shown as materialized (select n.id = (select max(id) from snapshots where state in ${SEALED}) as is_last from shown_snapshot n),
leading as materialized (select space, file, ${LED_TO} as target from pages where file is not null or target is not null),
texts as materialized (${TEXTS}),
words as materialized (${WORDS}),
unfound as materialized (select space, id from files where (space, id) not in (select space, value from words)),
read as materialized (${READ})
select s.title as space, f.name, f.size from files f cross join ${NAMED_SPACES} s on s.id = f.space
where (f.space, f.id) not in (select space, value from words)
and not iif(${IS_LAST}, coalesce(${FOUND_BY_WORDS},
  ${FOUND_BY_READING}), (f.space, f.id) in (select space, id from read))
and (f.space, f.id) not in (select space, file from leading where file is not null)
and (f.space, f.id) not in (select space, target from leading where target is not null)
and not (${FOUND_BY_ADDRESS})
order by f.size desc, space, f.name`,
  },
  {
    name: 'largest-spaces',
    about: 'spaces by bytes of text, with their number of pages and bytes of files',
    sql: `with texts as (select space, count(*) as pages, sum(markdown_bytes) as bytes from pages group by space),
stored as (select space, sum(size) as bytes from files group by space)
select s.title as space, coalesce(t.pages, 0) as pages, coalesce(t.bytes, 0) as text_bytes, coalesce(f.bytes, 0) as file_bytes
from ${NAMED_SPACES} s left join texts t on t.space = s.id left join stored f on f.space = s.id order by text_bytes desc, s.title`,
  },
  {
    name: 'who-can-see-what',
    about: 'members and the spaces they can see, with the permission',
    sql: `with named as (select id, organization, coalesce(user_name, json_extract(user, '$.email'), id) as name from members),
people as materialized (select id, organization, ${toldApart('name', 'id', 'min(id) over same <> max(id) over same')} as name
  from named window same as (partition by name))
select m.name as member, s.title as space, x.permission
from space_members x join people m on m.id = x.member and m.organization = x.organization join ${NAMED_SPACES} s on s.id = x.space
order by member, space`,
  },
  {
    name: 'change-request-age',
    about: 'open and draft change requests, oldest first',
    sql: `select s.title as space, c.number, c.subject, c.status, c.created_by_name as author,
  cast(julianday(n.started_at) - julianday(c.created_at) as integer) as days
from shown_snapshot n cross join change_requests c join ${NAMED_SPACES} s on s.id = c.space
where c.status in (${wordsSql(UNDER_WAY_STATUSES)}) order by days desc, space, c.number`,
  },
  {
    name: 'comment-backlog',
    about: 'open comments by space, with the age of the oldest in days',
    sql: `select s.title as space, count(*) as open,
  cast(julianday((select started_at from shown_snapshot)) - min(julianday(c.posted_at)) as integer) as oldest_days
from comments c join ${NAMED_SPACES} s on s.id = c.space where c.status = 'open' group by s.id order by open desc, s.title`,
  },
  {
    name: 'pages-without-description',
    about: 'documents without a description, by space',
    sql: `select s.title as space, p.title, p.path from pages p cross join ${NAMED_SPACES} s on s.id = p.space
where p.type = 'document' and coalesce(p.description, '') = '' order by space, p.path`,
  },
  {
    name: 'duplicates',
    about: 'pages with the same text of more than 200 characters, whatever their titles',
    // The platform writes the title as the first heading of a text. Those that end otherwise are told apart first: to sort all texts
    // takes seconds.
    sql: `with ended as materialized (
  select space, id, substr(cast(rtrim(markdown, char(10, 13)) as blob), -200) as ending from pages where markdown_bytes > 200),
alike as materialized (select space, id from ended where ending in (select ending from ended group by ending having count(*) > 1)),
titled as (select p.space, coalesce(p.path, p.id) as path, p.title, p.markdown, '# ' || p.title || char(10) as heading
  from alike a cross join pages p on p.space = a.space and p.id = a.id),
texts as materialized (select space, path, title,
  trim(iif(substr(markdown, 1, length(heading)) = heading, substr(markdown, length(heading)), markdown), char(10, 13)) as own from titled)
select count(*) as copies, min(t.title) as title, group_concat(s.title || ' / ' || t.path, '; ') as places
from texts t cross join ${NAMED_SPACES} s on s.id = t.space where length(t.own) > 200
group by t.own having copies > 1 order by copies desc, title`,
  },
  {
    name: 'growth-per-week',
    about:
      'pages and comments that appeared, by week (the date of its Monday, UTC); gone ones count too, what came back only once',
    sql: `with first as (select min(valid_from) as snapshot from ${withoutBodies('pages_history', 'space, id, valid_from')} group by space, id),
found as (select s.started_at as at, count(*) as pages from first f left join snapshots s on s.id = f.snapshot group by f.snapshot),
said as (select posted_at, max(valid_from) from comments_history group by space, change_request, id),
weeks as (
  select date(at, '-6 days', 'weekday 1') as week, pages, 0 as comments from found
  union all select date(posted_at, '-6 days', 'weekday 1'), 0, 1 from said)
select week, sum(pages) as new_pages, sum(comments) as new_comments from weeks group by week order by week`,
  },
  {
    name: 'most-edited-pages',
    about:
      'the pages with the most versions, up to 50: each edit and each move made one; a place that it took as siblings came or went made none',
    sql: `with told as (select v.rid, v.valid_to is null or v.valid_to > n.id as is_held,
    v.body is not lag(v.body) over w or v.text is not lag(v.text) over w or v.parent is not lag(v.parent) over w
      or v.valid_from is not lag(v.valid_to) over w as is_own
  from shown_snapshot n cross join resources r cross join versions v on v.rid = r.rid
  where r.kind = 'page' and v.valid_from <= n.id window w as (partition by v.rid order by v.valid_from)),
edits as (select r.space, r.id, t.versions from (select rid, sum(is_own) as versions from told group by rid having max(is_held)) t
  join resources r on r.rid = t.rid order by t.versions desc, r.space, r.id limit 50)
select s.title as space, p.title, e.versions from edits e join pages p on p.space = e.space and p.id = e.id
join ${NAMED_SPACES} s on s.id = e.space order by e.versions desc, space, p.title`,
  },
  {
    name: 'spaces-without-site',
    about: 'spaces that no site shows',
    sql: `select s.title as space, s.visibility from ${NAMED_SPACES} s where s.id not in (select space from site_spaces where space is not null) order by s.title`,
  },
  {
    name: 'contributors',
    about: 'people by comments, replies and change requests',
    // A person is told by the id: two may have one name, and one may have had another. The name is that of the newest words.
    sql: `select ${toldApart('name', 'person', 'count(*) over (partition by name) > 1')} as name, comments, replies, change_requests from (
  select coalesce(name, person) as name, person, max(julianday(at)) as at, sum(kind = 'comment') as comments, sum(kind = 'reply') as replies, sum(kind = 'request') as change_requests from (
    select 'comment' as kind, posted_by_id as person, posted_by_name as name, posted_at as at from comments
    union all select 'reply', posted_by_id, posted_by_name, posted_at from comment_replies
    union all select 'request', created_by_id, created_by_name, created_at from change_requests)
  group by coalesce(person, name))
order by comments + replies + change_requests desc, name`,
  },
  danglingReferences,
];

/** A recipe by name; undefined when there is none. */
export function recipeOf(name: string): Recipe | undefined {
  return recipes.find((recipe) => recipe.name === name);
}
