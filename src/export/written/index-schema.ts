// Tables of the index of an export. `former` and `deferred` are work of one run: paths that the last export had, pages that wait.
const SCHEMA = `
create table meta (name text primary key, value text not null) without rowid;
create table spaces (
  num integer primary key, id text not null unique, path text not null, layout text, documents integer not null default 0,
  files integer not null default 0, missing integer not null default 0, requests integer not null default 0
);
create table files (
  path text primary key, space integer not null, part integer not null, owner text, reach integer not null, sha256 blob not null,
  size integer not null, mtime real not null, seen integer not null, written integer not null, lost integer not null
) without rowid;
create index files_owner on files (space, part, owner);
create index files_beyond on files (part) where reach = 2;
create table former (path text primary key) without rowid;
create table deferred (seq integer primary key, path text not null unique);
`;

/** The schema by version. An index of another version is thrown away and made again. */
export const indexMigrations: Readonly<Record<number, string>> = { 1: SCHEMA };
