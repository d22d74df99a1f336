// The resources as types. One name for schema and type inside this room; other rooms use the types.
import type { Static } from 'typebox';
import type * as common from './common.ts';
import type * as containers from './containers.ts';
import type * as content from './content.ts';
import type * as discussions from './discussions.ts';
import type * as extras from './extras.ts';
import type * as people from './people.ts';
import type * as sites from './sites.ts';

export type Role = Static<typeof common.Role>;
export type User = Static<typeof common.User>;
export type Collection = Static<typeof containers.Collection>;
export type Space = Static<typeof containers.Space>;
export type Page = Static<typeof content.Page>;
/** What the front matter of a page sets. */
export type PageHead = { [text in (typeof content.PAGE_TEXTS)[number]]?: string } & {
  [flag in (typeof content.PAGE_FLAGS)[number]]?: boolean;
};
export type File = Static<typeof content.File>;
export type ReusableContent = Static<typeof content.ReusableContent>;
export type Revision = Static<typeof content.Revision>;
export type ImportResult = Static<typeof content.ImportResult>;
export type ContentReference = Static<typeof content.ContentReference>;
export type ChangeRequest = Static<typeof discussions.ChangeRequest>;
export type Comment = Static<typeof discussions.Comment>;
export type CommentReply = Static<typeof discussions.CommentReply>;
export type CommentBody = Static<typeof discussions.CommentBody>;
export type Reaction = Static<typeof discussions.Reaction>;
export type Organization = Static<typeof people.Organization>;
export type Member = Static<typeof people.Member>;
export type Team = Static<typeof people.Team>;
export type Invite = Static<typeof people.Invite>;
export type SamlProvider = Static<typeof people.SamlProvider>;
export type Site = Static<typeof sites.Site>;
export type SiteSection = Static<typeof sites.SiteSection>;
export type SiteSectionGroup = Static<typeof sites.SiteSectionGroup>;
export type SiteSpace = Static<typeof sites.SiteSpace>;
export type ShareLink = Static<typeof sites.ShareLink>;
export type CustomField = Static<typeof extras.CustomField>;
export type OpenApiSpec = Static<typeof extras.OpenApiSpec>;
export type OpenApiSpecVersion = Static<typeof extras.OpenApiSpecVersion>;
export type TranslationSettings = Static<typeof extras.TranslationSettings>;
