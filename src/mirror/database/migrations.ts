/** Stands for the hash of a drill that was recorded before drills had any. */
export const UNHASHED_DRILL = 'recorded before';

// The schema of mirror.db by version. A step that has been released is never edited.
export const mirrorMigrations: Readonly<Record<number, string>> = {
  1: `
create table meta (name text primary key, value text not null) without rowid;
insert into meta (name, value) values ('mirror', lower(hex(randomblob(16))));
create table snapshots (
  id integer primary key, state text not null, mode text not null, scope text, origin text not null,
  contract_version integer not null, started_at text not null, sealed_at text,
  requests integer not null default 0, bytes integer not null default 0, duration_ms integer not null default 0,
  resumed integer not null default 0, reason text, previous_hash text, manifest_hash text
);
create unique index snapshots_open on snapshots (state) where state = 'open';
create table snapshot_kinds (
  snapshot integer not null references snapshots (id), kind text not null,
  seen integer not null default 0, added integer not null default 0, changed integer not null default 0,
  unchanged integer not null default 0, gone integer not null default 0, failed integer not null default 0,
  unreachable integer not null default 0, primary key (snapshot, kind)
) without rowid;
create table snapshot_figures (
  snapshot integer not null references snapshots (id), name text not null, value integer not null, primary key (snapshot, name)
) without rowid;
create table resources (
  rid integer primary key, kind text not null, key text not null, id text not null,
  scope integer references resources (rid), params text not null, mark text not null default '',
  space text generated always as (json_extract(params, '$.spaceId')) virtual, unique (kind, key)
);
create index resources_scope on resources (scope, kind);
create index resources_space on resources (space, kind) where space is not null;
create table bodies (
  bid integer primary key autoincrement, hash blob not null unique, size integer not null, owner integer,
  dependent integer, data text not null
);
create table superseded (
  bid integer primary key, hash blob not null, base integer, height integer not null, data blob not null
);
create table versions (
  vid integer primary key, rid integer not null references resources (rid),
  valid_from integer not null, valid_to integer, body integer not null, text integer, object text, size integer,
  parent integer, position integer
);
create unique index versions_current on versions (rid) where valid_to is null;
create index versions_body_now on versions (body) where valid_to is null;
create index versions_text_now on versions (text) where valid_to is null and text is not null;
create index versions_rid on versions (rid, valid_from);
create index versions_from on versions (valid_from);
create index versions_to on versions (valid_to) where valid_to is not null;
create index versions_object on versions (object, size) where object is not null;
create table tombstones (
  rid integer not null references resources (rid), snapshot integer not null, first_missing integer not null,
  confirmed_at text not null, evidence text not null, primary key (rid, snapshot)
) without rowid;
create table unreachable (rid integer primary key references resources (rid), since integer not null, status integer, at text not null);
create table missing (rid integer primary key references resources (rid), first_missing integer not null);
create table routes (
  rid integer not null references resources (rid), route text not null, snapshot integer not null, primary key (rid, route)
) without rowid;
create table reads (
  scope integer not null, kind text not null, mark text not null, snapshot integer not null, at text not null,
  primary key (scope, kind)
) without rowid;
create table frontier (
  seq integer primary key, snapshot integer not null, stage integer not null, place integer not null default 0,
  task text not null, params text not null, twin text not null, attempts integer not null default 0
);
create index frontier_order on frontier (stage, place, seq);
create unique index frontier_twin on frontier (twin);
create table requests_failed (
  id integer primary key, snapshot integer not null, kind text not null, resource text not null, request text not null,
  status integer, code text not null, error text not null, at text not null
);
create index requests_failed_snapshot on requests_failed (snapshot);
create table not_offered (
  snapshot integer not null, kind text not null, request text not null, status integer not null, primary key (snapshot, kind)
) without rowid;
create table drift (
  kind text not null, path text not null, what text not null, value text not null, first_seen integer not null,
  first_seen_at text not null, times integer not null, primary key (kind, path, what, value)
) without rowid;
create table shrunk (rid integer primary key references resources (rid), since integer not null, lost text not null, at text not null);
create table accepted (snapshot integer primary key, reason text not null, at text not null);
create table pins (snapshot integer primary key, reason text not null, at text not null);
create table drills (
  id integer primary key, snapshot integer not null, at text not null, passed integer not null,
  requests integer not null, duration_ms integer not null, report text not null
);
create table restores (
  id text primary key, plan text not null, plan_hash text not null, snapshot integer not null, target text not null,
  organization text not null, state text not null, created_at text not null, ended_at text, report text
) without rowid;
create table restore_steps (
  restore text not null references restores (id), step integer not null, state text not null, kind text not null,
  key text not null, new_id text, detail text, at text not null, primary key (restore, step)
) without rowid;
`,
  2: `
create table shortages (
  scope integer not null, kind text not null, missing integer not null, snapshot integer not null, since text not null,
  primary key (scope, kind)
) without rowid;
`,
  // A unique index over hashes is written all over by each transaction; so new hashes wait in a table of their own.
  3: `
pragma legacy_alter_table = on;
create table bodies_now (
  bid integer primary key autoincrement, hash blob not null, size integer not null, owner integer,
  dependent integer, data text not null
);
insert into bodies_now select bid, hash, size, owner, dependent, data from bodies order by bid;
delete from sqlite_sequence where name = 'bodies_now';
insert into sqlite_sequence (name, seq) select 'bodies_now', seq from sqlite_sequence where name = 'bodies';
drop table bodies;
alter table bodies_now rename to bodies;
pragma legacy_alter_table = off;
create table body_hashes (hash blob primary key, bid integer not null) without rowid;
create table body_hashes_new (hash blob primary key, bid integer not null) without rowid;
insert into body_hashes select hash, bid from bodies order by hash;
-- Trees of an older text than their page, which the walks before took for unchanged: they end, and come again with the rota.
update versions set valid_to = (select coalesce(min(id) filter (where state = 'open'), max(id) + 1) from snapshots)
where valid_to is null and vid in (
  select dv.vid from resources d join versions dv on dv.rid = d.rid and dv.valid_to is null join bodies db on db.bid = dv.body
  join resources p on p.kind = replace(d.kind, '-document', '') and p.key = d.key
  join versions pv on pv.rid = p.rid and pv.valid_to is null join bodies pb on pb.bid = pv.body
  where d.kind in ('page-document', 'change-request-page-document')
    -- One that is damaged would end the whole step, each time anew.
    and iif(json_valid(db.data), json_extract(db.data, '$.documentId'), null)
      <> iif(json_valid(pb.data), json_extract(pb.data, '$.documentId'), null));
delete from versions where valid_from = valid_to;
`,
  // Computed from the parameters, it ended every statement that came by one row whose parameters are no JSON any more.
  4: `
pragma legacy_alter_table = on;
drop index resources_space;
alter table resources drop column space;
alter table resources add column space text;
update resources set space = json_extract(params, '$.spaceId') where json_valid(params);
create index resources_space on resources (space, kind) where space is not null;
pragma legacy_alter_table = off;
`,
  // In the order in which they came, which is that of their versions and bodies: by key, ids being random, each read is elsewhere.
  5: `
create index resources_kind on resources (kind);
`,
  // What is no longer listed was counted and kept as if the token might no longer see it.
  6: `
alter table snapshot_kinds add column missing integer not null default 0;
with unlisted as (
  select u.rid, u.since, r.kind from unreachable u join missing m on m.rid = u.rid join resources r on r.rid = u.rid where u.status is null
), sums as (select since, kind, count(*) as n from unlisted group by since, kind)
update snapshot_kinds set missing = sums.n, unreachable = max(0, snapshot_kinds.unreachable - sums.n) from sums
where snapshot_kinds.snapshot = sums.since and snapshot_kinds.kind = sums.kind;
delete from unreachable where status is null and rid in (select rid from missing);
`,
  // Of those before nobody can tell any more whether a drill wrote them.
  7: `
alter table drills add column hash text;
update drills set hash = '${UNHASHED_DRILL}';
`,
  // A merged change request shows its space: each was a row, a version and their indexes for every page and file of it, for good.
  8: `
create table shared_trees (
  tid integer primary key autoincrement, rid integer not null references resources (rid), kind text not null,
  series integer not null, valid_from integer not null, valid_to integer, mark text not null, hash text not null,
  amount integer not null, documents integer not null
);
create unique index shared_trees_current on shared_trees (rid, kind) where valid_to is null;
create index shared_trees_rid on shared_trees (rid, kind, valid_from);
create index shared_trees_from on shared_trees (valid_from);
create index shared_trees_to on shared_trees (valid_to) where valid_to is not null;
create index shared_trees_series on shared_trees (series, tid);
create table shared_entries (
  series integer not null, rid integer not null references resources (rid), first integer not null, last integer not null,
  parent integer, position integer, body integer not null, text integer, document integer,
  object text, size integer, primary key (series, rid, first)
) without rowid;
create index shared_entries_rid on shared_entries (rid);
create index shared_entries_body on shared_entries (body);
`,
  // A token that may not read everything had no complete snapshot, ever.
  9: `
create table refused (
  snapshot integer not null, kind text not null, resource text not null, scope integer, request text not null,
  status integer not null, primary key (snapshot, kind, resource)
) without rowid;
`,
  // People join by the ids that the fields name: without their space, each id went through all of its kind, minutes for 20,000 pages.
  10: `
create index resources_id on resources (id);
`,
  // What failed below a key is asked for with each tree that is read: without the key, all that failed in the night were gone through.
  11: `
create index requests_failed_place on requests_failed (snapshot, resource);
drop index requests_failed_snapshot;
`,
  // Whether something is refused to the token is asked with each probe: all that failed in the last night were gone through.
  12: `
create index requests_failed_status on requests_failed (snapshot, status, kind, code);
`,
};
