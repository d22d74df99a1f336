// Rows of what is derived from content (the index of the search) and of OpenAPI specifications.

/** Which revision of a space the index of the search holds. */
export interface SearchSpaceRow {
  space: string;
  revision: string;
}

/** One section of a page in the index; its text stands in `search_text` under the same id. */
export interface SearchSectionRow {
  id: number;
  space: string;
  page: string;
  /** The state of the page that was indexed: its title, its document, and the way of indexing. */
  state: string;
  /** 0 for what stands before the first heading. */
  ordinal: number;
}

export type SpecState = 'pending' | 'progress' | 'complete';
export type SpecErrorCode = 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR';

export interface OpenApiSpecRow {
  id: string;
  organization: string;
  slug: string;
  /** Where it is fetched from; null when it was given as text. */
  source_url: string | null;
  /** Hash of the text that was given; null when it is fetched. */
  source_text: string | null;
  processing_state: SpecState;
  last_version: string | null;
  last_processed_at: string | null;
  last_error: SpecErrorCode | null;
  created_at: string;
  updated_at: string;
}

export interface OpenApiVersionRow {
  id: string;
  /** Id of the specification. */
  spec: string;
  /** Hash of the text, as it came. */
  sha256: string;
  name: string;
  created_at: string;
}

export const DERIVED_TABLES = `
create table search_spaces (
  space text primary key references spaces (id) on delete cascade, revision text not null
) without rowid;
create table search_sections (
  id integer primary key, space text not null references spaces (id) on delete cascade, page text not null,
  state text not null, ordinal integer not null
);
create index search_sections_by_page on search_sections (space, page, ordinal);
create virtual table search_text using fts5(
  title, body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
);
create trigger search_text_of_sections after delete on search_sections
  begin delete from search_text where rowid = old.id; end;
create table openapi_specs (
  seq integer primary key, id text not null unique, organization text not null references organizations (id),
  slug text not null, source_url text, source_text text, processing_state text not null, last_version text,
  last_processed_at text, last_error text, created_at text not null, updated_at text not null,
  unique (organization, slug)
);
create index openapi_specs_by_state on openapi_specs (processing_state) where processing_state <> 'complete';
create table openapi_versions (
  seq integer primary key, id text not null unique, spec text not null references openapi_specs (id) on delete cascade,
  sha256 text not null, name text not null, created_at text not null
);
create index openapi_versions_by_spec on openapi_versions (spec, seq);
`;
