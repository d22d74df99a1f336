// What a space holds: revisions, pages, files, reusable contents, links and search results.
// Source: the API document, "Revision, Page, File, ReusableContent", "Links and backlinks", "Search results".
import Type from 'typebox';
import { Count, DateTime, Flag, Id, Text, entity, listOf, nullable, partial } from './common.ts';

/** Content references of the reference platform: what a link, a cover or a computed source points at. */
export const ContentReference = Type.Union([
  Type.Object({ kind: Type.Literal('file'), file: Id }),
  Type.Object({ kind: Type.Literal('url'), url: Text }),
  Type.Object({ kind: Type.Literal('page'), page: Id, space: Type.Optional(Id) }),
  Type.Object({
    kind: Type.Literal('anchor'),
    anchor: Text,
    page: Type.Optional(Id),
    space: Type.Optional(Id),
  }),
  Type.Object({ kind: Type.Literal('user'), user: Id }),
  Type.Object({ kind: Type.Literal('collection'), collection: Id }),
  Type.Object({ kind: Type.Literal('space'), space: Id }),
  Type.Object({
    kind: Type.Literal('reusable-content'),
    reusableContent: Id,
    space: Type.Optional(Id),
  }),
  Type.Object({ kind: Type.Literal('openapi'), spec: Text }),
]);

const GitMetadata = partial({ oid: Text, path: Text });

const PAGE_TYPES = ['document', 'group', 'link', 'computed'] as const;
export const REVISION_TYPES = ['edits', 'merge', 'rollback', 'update', 'computed'] as const;

/** A document tree: `{object: document, data, nodes}`; its node types are open. */
export const DocumentBody = Type.Object({
  object: Type.Literal('document'),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  nodes: Type.Array(Type.Unknown()),
});

const pageFields = {
  id: Id,
  title: Text,
  emoji: Type.Optional(Text),
  icon: Type.Optional(Text),
  createdAt: Type.Optional(DateTime),
  updatedAt: Type.Optional(DateTime),
  markdown: Type.Optional(Text),
  document: Type.Optional(DocumentBody),
  type: Type.Enum([...PAGE_TYPES]),
  urls: Type.Optional(partial({ app: Text })),
  slug: Type.Optional(Text),
  path: Type.Optional(Text),
  description: Type.Optional(Text),
  documentId: Type.Optional(Id),
  git: Type.Optional(GitMetadata),
  layout: Type.Optional(
    partial({
      cover: Flag,
      coverSize: Type.Enum(['hero', 'full']),
      title: Flag,
      description: Flag,
      tableOfContents: Flag,
      outline: Flag,
      pagination: Flag,
    }),
  ),
  cover: Type.Optional(nullable(Type.Object({ ref: ContentReference, yPos: Type.Optional(Type.Number()) }))),
  hidden: Type.Optional(Flag),
  noIndex: Type.Optional(Flag),
  noRobotsIndex: Type.Optional(Flag),
  computed: Type.Optional(
    partial({
      type: Text,
      dependencies: partial({ spec: partial({ ref: partial({ kind: Text, spec: Text }) }) }),
      props: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
  computedSeed: Type.Optional(Text),
  /** Link pages only (reference platform). */
  target: Type.Optional(ContentReference),
  href: Type.Optional(Text),
};

/** What the front matter of a page's Markdown sets, and the operation that edits pages: texts, gone when empty, and switches, off when absent. */
export const PAGE_TEXTS = ['emoji', 'icon', 'description'] as const satisfies readonly (keyof typeof pageFields)[];
export const PAGE_FLAGS = [
  'hidden',
  'noIndex',
  'noRobotsIndex',
] as const satisfies readonly (keyof typeof pageFields)[];

/** One of several shapes by `type`; groups and documents hold further pages. */
export const Page = Type.Cyclic(
  { Page: Type.Object({ ...pageFields, pages: Type.Optional(Type.Array(Type.Ref('Page'))) }) },
  'Page',
);

export const File = Type.Object({
  id: Id,
  name: Text,
  contentType: Text,
  downloadURL: Text,
  size: Count,
  dimensions: Type.Optional(Type.Object({ width: Type.Number(), height: Type.Number() })),
  git: Type.Optional(GitMetadata),
});

export const ReusableContent = Type.Object({
  id: Id,
  title: Text,
  document: Type.Optional(Id),
  git: Type.Optional(GitMetadata),
});

export const Revision = entity('revision', {
  id: Id,
  parents: Type.Array(Id),
  pages: Type.Array(Page),
  files: Type.Array(File),
  reusableContents: Type.Array(ReusableContent),
  createdAt: DateTime,
  git: Type.Optional(partial({ oid: Text, message: Text, createdByService: Flag, url: Text, ref: Text })),
  urls: partial({ app: Text, published: Text, public: Text }),
  type: Type.Enum([...REVISION_TYPES]),
});

/** The answer of an import: they differ when something could not be imported. */
export const ImportResult = Type.Object({
  revision: Id,
  importedResources: Count,
  totalResources: Count,
});

export const LINK_STATUSES = ['ok', 'broken', 'in-app'] as const;

/** A reference of a link list; members beside `kind` depend on it and are open. */
export const LinkReference = Type.Object({
  kind: Type.Enum(['file', 'url', 'page', 'user', 'collection', 'space', 'reusable-content', 'openapi']),
  organization: Type.Optional(Type.Unknown()),
  space: Type.Optional(Type.Unknown()),
  versionContext: Type.Optional(Type.Unknown()),
  file: Type.Optional(Type.Unknown()),
  page: Type.Optional(Type.Unknown()),
  reusableContent: Type.Optional(Type.Unknown()),
  openAPISpec: Type.Optional(Type.Unknown()),
  /** Of a URL into the platform itself (reference platform). */
  internalLocation: Type.Optional(Type.Unknown()),
  url: Type.Optional(Text),
});

export const Link = Type.Object({
  status: Type.Enum([...LINK_STATUSES]),
  relation: Type.Optional(Type.Enum(['reference', 'dependsOn'])),
  targetReference: Type.Optional(LinkReference),
  locationReferences: Type.Array(LinkReference),
});

export const LinkList = Type.Object({
  ...listOf(Link).properties,
  stats: Type.Optional(
    Type.Object({
      total: Count,
      broken: Type.Object({ total: Count, changeRequest: Type.Optional(Count) }),
    }),
  ),
});

const SearchSection = Type.Object({
  id: Id,
  title: Text,
  path: Text,
  body: Text,
  urls: partial({ app: Text }),
});

export const SpaceSearchResult = Type.Object({
  id: Id,
  title: Text,
  path: Text,
  sections: Type.Optional(Type.Array(SearchSection)),
  urls: partial({ app: Text }),
});

export const OrganizationSearchResult = Type.Object({
  id: Id,
  title: Text,
  pages: Type.Array(SpaceSearchResult),
});
