/** Statements by number; a released one never changes. */
export const MIGRATIONS: Readonly<Record<number, string>> = {
  1: `
create table settings (name text primary key, value text not null) without rowid;
create table users (
  id text primary key, display_name text not null, email text, token_hash text not null unique
) without rowid;
create table organizations (
  seq integer primary key, id text not null unique, title text not null, created_at text not null, settings text not null
);
create table members (
  organization text not null references organizations (id), user text not null references users (id), role text,
  disabled integer not null, joined_at text not null, last_seen_at text, sso integer not null,
  primary key (organization, user)
) without rowid;
create index members_by_user on members (user);
create index members_by_joined on members (organization, joined_at, user);
create table collections (
  seq integer primary key, id text not null unique, organization text not null references organizations (id),
  parent text references collections (id), title text not null, description text, default_level text,
  position text not null
);
create index collections_by_parent on collections (organization, parent, position);
create table spaces (
  seq integer primary key, id text not null unique, organization text not null references organizations (id),
  parent text references collections (id), title text not null, emoji text not null, visibility text not null,
  created_at text not null, updated_at text not null, deleted_at text, edit_mode text not null,
  revision text not null, default_level text, position text not null
);
create index spaces_by_parent on spaces (organization, parent, position);
create index spaces_by_deletion on spaces (deleted_at) where deleted_at is not null;
create table revisions (
  id text primary key, space text not null references spaces (id) on delete cascade, type text not null,
  parents text not null, created_at text not null, tree text not null
) without rowid;
create index revisions_by_space on revisions (space);
create table documents (id text primary key, markdown text not null) without rowid;
create table blobs (sha256 text primary key, bytes blob not null);
create table change_requests (
  seq integer primary key, id text not null unique, space text not null references spaces (id) on delete cascade,
  number integer not null, status text not null, subject text not null, created_by text not null references users (id),
  created_at text not null, updated_at text not null, revision text not null, revision_initial text not null,
  revision_merged_ancestor text, revision_merged text, unique (space, number)
);
create index change_requests_by_status on change_requests (space, status, seq);
create table comments (
  seq integer primary key, id text not null unique, space text not null references spaces (id) on delete cascade,
  change_request text references change_requests (id) on delete cascade, page text, node text, revision text not null,
  posted_by text not null references users (id), posted_at text not null, edited_at text, markdown text not null,
  document text, status text not null, resolved_at text, resolved_by text references users (id)
);
create index comments_by_place on comments (space, change_request, status, seq);
create index comments_by_request on comments (change_request) where change_request is not null;
create table replies (
  seq integer primary key, id text not null unique, comment text not null references comments (id) on delete cascade,
  posted_by text not null references users (id), posted_at text not null, edited_at text, markdown text not null,
  document text
);
create index replies_by_comment on replies (comment, seq);
create table reactions (
  seq integer primary key, post text not null, emoji text not null, user text not null references users (id),
  reacted_at text not null, unique (post, emoji, user)
);
create trigger reactions_of_comments after delete on comments begin delete from reactions where post = old.id; end;
create trigger reactions_of_replies after delete on replies begin delete from reactions where post = old.id; end;
`,
};
