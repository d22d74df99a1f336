import { BLOB_PARTS } from './blobs.ts';
import { DERIVED_TABLES } from './derived-tables.ts';
import { HELD_BY_SPACE, HELD_BY_SPEC } from './held-by-space.ts';
import { POSITIONS_ANEW } from './positions-anew.ts';

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
  2: `
create table teams (
  seq integer primary key, id text not null unique, organization text not null references organizations (id),
  title text not null, created_at text not null
);
create index teams_by_organization on teams (organization, seq);
create table team_members (
  team text not null references teams (id) on delete cascade, user text not null references users (id),
  role text not null, primary key (team, user)
) without rowid;
create index team_members_by_user on team_members (user, team);
create table custom_fields (
  seq integer primary key, id text not null unique, organization text not null references organizations (id),
  name text not null, type text not null, settings text not null, created_at text not null, updated_at text not null,
  unique (organization, name)
);
create table custom_field_values (
  space text not null references spaces (id) on delete cascade,
  field text not null references custom_fields (id) on delete cascade, value text not null, primary key (space, field)
) without rowid;
create table translation_settings (
  seq integer primary key, id text not null unique, organization text not null references organizations (id),
  title text not null, created_at text not null, updated_at text not null
);
create table saml_providers (
  seq integer primary key, id text not null unique, organization text not null references organizations (id),
  label text not null, settings text not null, created_at text not null
);
create table invites (
  id text primary key, organization text not null references organizations (id), role text
) without rowid;
`,
  3: `
create table sites (
  seq integer primary key, id text not null unique, organization text not null references organizations (id),
  type text not null, title text not null, visibility text not null, published integer not null, basename text,
  proxy text, adaptive_enabled integer, adaptive_schema text, adaptive_updated_at text, created_at text not null,
  default_section text, default_site_space text, unique (organization, basename)
);
create index sites_by_organization on sites (organization, seq);
create table site_section_groups (
  seq integer primary key, id text not null unique, site text not null references sites (id) on delete cascade,
  title text not null, icon text, position text not null
);
create index site_section_groups_by_site on site_section_groups (site);
create table site_sections (
  seq integer primary key, id text not null unique, site text not null references sites (id) on delete cascade,
  section_group text references site_section_groups (id), title text not null, description text, path text not null,
  condition text, icon text, position text not null, default_site_space text, unique (site, path)
);
create index site_sections_by_group on site_sections (section_group) where section_group is not null;
create table site_spaces (
  seq integer primary key, id text not null unique, site text not null references sites (id) on delete cascade,
  section text references site_sections (id) on delete cascade,
  space text not null references spaces (id) on delete cascade, path text not null, condition text,
  position text not null
);
create index site_spaces_by_site on site_spaces (site);
create index site_spaces_by_section on site_spaces (section) where section is not null;
create index site_spaces_by_space on site_spaces (space);
create trigger sections_without_space after delete on site_spaces when old.section is not null
  and not exists (select 1 from site_spaces where section = old.section)
  begin delete from site_sections where id = old.section; end;
create trigger site_spaces_of_transferred after update of organization on spaces
  when old.organization <> new.organization begin delete from site_spaces where space = new.id; end;
create table share_links (
  seq integer primary key, id text not null unique, site text not null references sites (id) on delete cascade,
  name text not null, active integer not null, key text not null unique, created_at text not null
);
create index share_links_by_site on share_links (site, seq);
`,
  4: `
create table grants (target text not null, principal text not null, role text not null, primary key (target, principal))
  without rowid;
create index grants_by_principal on grants (principal);
create index spaces_by_age on spaces (organization, seq) where deleted_at is null;
create index spaces_by_rights on spaces (organization, parent, default_level) where deleted_at is null;
create trigger grants_of_spaces after delete on spaces begin delete from grants where target = old.id; end;
create trigger grants_of_collections after delete on collections begin delete from grants where target = old.id; end;
create trigger grants_of_teams after delete on teams begin delete from grants where principal = old.id; end;
create trigger grants_of_members after delete on members begin
  delete from grants where principal = old.user and (
    target in (select id from spaces where organization = old.organization)
    or target in (select id from collections where organization = old.organization)
  );
  delete from team_members where user = old.user and team in (select id from teams where organization = old.organization);
end;
create trigger rights_of_transferred_spaces after update of organization on spaces
  when old.organization <> new.organization
  begin
    delete from grants where target = new.id;
    delete from custom_field_values where space = new.id;
  end;
create trigger grants_of_transferred_collections after update of organization on collections
  when old.organization <> new.organization begin delete from grants where target = new.id; end;
alter table translation_settings add column languages text not null default '[]';
`,
  5: DERIVED_TABLES,
  // Texts are indexed in another way; each space is indexed anew by the first search.
  6: 'delete from search_spaces;',
  // Computed pages are indexed too; what is indexed already stays.
  7: 'delete from search_spaces;',
  8: POSITIONS_ANEW,
  // Whether anything refers to a collection was looked for among all collections and spaces, for each that was deleted.
  9: `
create index collections_in_collection on collections (parent) where parent is not null;
create index spaces_in_collection on spaces (parent) where parent is not null;
`,
  10: HELD_BY_SPACE,
  // Whether a specification has the same bytes is asked for each file that goes with its space.
  11: `
create index openapi_versions_by_hash on openapi_versions (sha256);
create index openapi_specs_by_source on openapi_specs (source_text) where source_text is not null;
`,
  12: HELD_BY_SPEC,
  13: BLOB_PARTS,
};
