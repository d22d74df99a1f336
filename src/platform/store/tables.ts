// The rows of the platform's own database. Instants are ISO strings, which sort as time does; `seq` is the order of arrival.
import type { ColumnType, Generated } from 'kysely';
import type { OpenApiSpecRow, OpenApiVersionRow, SearchSectionRow, SearchSpaceRow } from './derived-tables.ts';
import type { CHANGE_REQUEST_STATUSES, CustomField, REVISION_TYPES, Role, Space } from '../../contract/index.ts';
import type { SectionGroupRow, SectionRow, ShareLinkRow, SiteRow, SiteSpaceRow } from './site-tables.ts';

export type ContentLevel = Space['defaultLevel'];
export type ChangeRequestStatus = (typeof CHANGE_REQUEST_STATUSES)[number];
export type RevisionType = (typeof REVISION_TYPES)[number];

export interface UserRow {
  id: string;
  display_name: string;
  email: string | null;
  token_hash: string;
}

export interface OrganizationRow {
  id: string;
  title: string;
  created_at: string;
  /** JSON of OrganizationSettings. */
  settings: string;
}

export interface MemberRow {
  organization: string;
  user: string;
  /** null is a guest. */
  role: Role | null;
  disabled: number;
  joined_at: string;
  last_seen_at: string | null;
  sso: number;
}

export interface CollectionRow {
  id: string;
  organization: string;
  parent: string | null;
  title: string;
  description: string | null;
  default_level: ContentLevel;
  /** Sorts among the siblings, spaces and collections alike. */
  position: string;
}

export interface SpaceRow {
  id: string;
  organization: string;
  parent: string | null;
  title: string;
  emoji: string;
  visibility: Space['visibility'];
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  edit_mode: 'live' | 'locked';
  revision: string;
  default_level: ContentLevel;
  position: string;
}

export interface RevisionRow {
  id: string;
  space: string;
  type: RevisionType;
  /** JSON array of ids. */
  parents: string;
  created_at: string;
  /** JSON of Tree. */
  tree: string;
}

export interface DocumentRow {
  id: string;
  markdown: string;
  /** What it is gone with; null until a revision names it. */
  space: string | null;
}

/** Bytes from a place on that is not their beginning. */
export interface BlobPartRow extends BlobRow {
  start: number;
}

export interface BlobRow {
  sha256: string;
  bytes: ColumnType<Buffer<ArrayBuffer>, Buffer, never>;
}

export interface ChangeRequestRow {
  id: string;
  space: string;
  number: number;
  status: ChangeRequestStatus;
  subject: string;
  created_by: string;
  created_at: string;
  updated_at: string;
  revision: string;
  revision_initial: string;
  revision_merged_ancestor: string | null;
  revision_merged: string | null;
}

/** What comments and replies share. */
export interface PostRow {
  id: string;
  posted_by: string;
  posted_at: string;
  edited_at: string | null;
  markdown: string;
  /** JSON of the node tree that was posted; null when Markdown was. */
  document: string | null;
}

export interface CommentRow extends PostRow {
  space: string;
  change_request: string | null;
  page: string | null;
  node: string | null;
  revision: string;
  status: 'open' | 'resolved';
  resolved_at: string | null;
  resolved_by: string | null;
}

export interface ReplyRow extends PostRow {
  comment: string;
}

export interface ReactionRow {
  /** Id of a comment or a reply. */
  post: string;
  emoji: string;
  user: string;
  reacted_at: string;
}

export interface SettingRow {
  name: string;
  value: string;
}

export interface TeamRow {
  id: string;
  organization: string;
  title: string;
  created_at: string;
}

export interface TeamMemberRow {
  team: string;
  user: string;
  role: 'owner' | 'member';
}

export interface CustomFieldRow {
  id: string;
  organization: string;
  name: string;
  type: CustomField['type'];
  /** JSON of what PATCH can change. */
  settings: string;
  created_at: string;
  updated_at: string;
}

export interface CustomFieldValueRow {
  space: string;
  /** Id of the field. */
  field: string;
  /** JSON. */
  value: string;
}

export interface TranslationRow {
  id: string;
  organization: string;
  title: string;
  /** JSON array of language codes. */
  languages: string;
  created_at: string;
  updated_at: string;
}

export interface SamlProviderRow {
  id: string;
  organization: string;
  label: string;
  /** JSON of the optional fields of a provider. */
  settings: string;
  created_at: string;
}

export interface InviteRow {
  id: string;
  organization: string;
  role: Role | null;
}

/** A role on a space or a collection and everything inside it, beyond what the organization gives. */
export interface GrantRow {
  /** Id of a space or a collection. */
  target: string;
  /** Id of a user or a team. */
  principal: string;
  role: Role;
}

/** A table whose rows are numbered in the order of arrival. */
type Sequenced<Row> = Row & { seq: Generated<number> };
/** A table whose id is that number. */
type Numbered<Row extends { id: number }> = Omit<Row, 'id'> & { id: Generated<number> };

export interface Tables {
  users: UserRow;
  organizations: Sequenced<OrganizationRow>;
  members: MemberRow;
  collections: Sequenced<CollectionRow>;
  spaces: Sequenced<SpaceRow>;
  revisions: RevisionRow;
  documents: DocumentRow;
  blobs: BlobRow;
  blob_parts: BlobPartRow;
  change_requests: Sequenced<ChangeRequestRow>;
  comments: Sequenced<CommentRow>;
  replies: Sequenced<ReplyRow>;
  reactions: Sequenced<ReactionRow>;
  teams: Sequenced<TeamRow>;
  team_members: TeamMemberRow;
  custom_fields: Sequenced<CustomFieldRow>;
  custom_field_values: CustomFieldValueRow;
  translation_settings: Sequenced<TranslationRow>;
  saml_providers: Sequenced<SamlProviderRow>;
  invites: InviteRow;
  grants: GrantRow;
  sites: Sequenced<SiteRow>;
  site_section_groups: Sequenced<SectionGroupRow>;
  site_sections: Sequenced<SectionRow>;
  site_spaces: Sequenced<SiteSpaceRow>;
  share_links: Sequenced<ShareLinkRow>;
  search_spaces: SearchSpaceRow;
  search_sections: Numbered<SearchSectionRow>;
  openapi_specs: Sequenced<OpenApiSpecRow>;
  openapi_versions: Sequenced<OpenApiVersionRow>;
  settings: SettingRow;
}
