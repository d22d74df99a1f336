// Collections and spaces. Source: the API document, "Collection", "Space".
import Type from 'typebox';
import { ContentLevel, Count, DateTime, Flag, Id, Text, entity, partial } from './common.ts';

export const Collection = entity('collection', {
  id: Id,
  title: Type.String({ maxLength: 50 }),
  description: Type.Optional(Type.String({ maxLength: 100 })),
  organization: Id,
  parent: Type.Optional(Id),
  defaultLevel: ContentLevel,
  urls: partial({ location: Text, app: Text }),
  permissions: partial({ view: Flag, admin: Flag, viewInviteLinks: Flag, create: Flag }),
});

const SPACE_VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private'] as const;

export const EditMode = Type.Enum(['live', 'locked']);

const GitSync = partial({
  repoName: Text,
  installationProvider: Type.Enum(['github', 'gitlab', 'github-legacy']),
  integration: Text,
  url: Text,
  updatedAt: DateTime,
});

const VisitorAuth = Type.Union([
  Type.Object({ backend: Type.Literal('custom') }),
  Type.Object({ backend: Type.Literal('integration'), integration: Text }),
]);

export const Space = entity('space', {
  id: Id,
  title: Type.String({ maxLength: 50 }),
  emoji: Type.String({ maxLength: 50 }),
  visibility: Type.Enum([...SPACE_VISIBILITIES]),
  createdAt: DateTime,
  updatedAt: DateTime,
  deletedAt: Type.Optional(DateTime),
  editMode: Type.Optional(EditMode),
  urls: partial({ location: Text, app: Text, published: Text, public: Text, icon: Text }),
  organization: Id,
  parent: Type.Optional(Id),
  gitSync: Type.Optional(GitSync),
  visitorAuth: Type.Optional(VisitorAuth),
  revision: Id,
  defaultLevel: ContentLevel,
  comments: Count,
  changeRequests: Count,
  changeRequestsOpen: Count,
  changeRequestsDraft: Count,
  permissions: partial({
    view: Flag,
    access: Flag,
    admin: Flag,
    viewInviteLinks: Flag,
    edit: Flag,
    triggerGitSync: Flag,
    comment: Flag,
    merge: Flag,
    review: Flag,
  }),
});
