// Operations that the API document does not show but the public reference platform offers. They are not part of `operations`:
// the embedded platform offers them, and a restore uses one only where the target turns out to offer it.
import Type, { type TOptional, type TSchema } from 'typebox';
import { Flag, Id, Text, User } from '../schemas/common.ts';
import { EditMode, Space } from '../schemas/containers.ts';
import { PAGE_FLAGS, PAGE_TEXTS } from '../schemas/content.ts';
import { ChangeRequest } from '../schemas/discussions.ts';
import { operation } from './define.ts';

function optional<Name extends string, Schema extends TSchema>(names: readonly Name[], schema: Schema) {
  const entries = names.map((name) => [name, Type.Optional(schema)]);
  return Object.fromEntries(entries) as { [name in Name]: TOptional<Schema> };
}

const pageMetadata = {
  title: Type.Optional(Text),
  slug: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  ...optional(PAGE_TEXTS, Text),
  ...optional(PAGE_FLAGS, Flag),
  into: Type.Optional(Type.Union([Id, Type.Null()])),
  at: Type.Optional(Type.Integer({ minimum: 0 })),
};
const markdownDocument = Type.Object({ markdown: Text });

/** Its bytes come from exactly one of `url` and `base64` (at most 1 MB, with `contentType`). */
const InsertedFile = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 256 }),
  ref: Type.Optional(Text),
  contentType: Type.Optional(Text),
  url: Type.Optional(Text),
  base64: Type.Optional(Text),
});

/** How many changes a batch holds. */
export const MOST_CHANGES = 50;
/** How many files one change inserts. */
export const MOST_INSERTED_FILES = 20;
/** Bytes of a file that stands in the change itself. */
export const MOST_INLINE_BYTES = 1_000_000;

/** One edit of a batch. */
export const ContentChange = Type.Union([
  Type.Object({
    type: Type.Literal('insert_page'),
    document: markdownDocument,
    ref: Type.Optional(Text),
    ...pageMetadata,
  }),
  Type.Object({
    type: Type.Literal('update_page'),
    page: Id,
    document: Type.Optional(markdownDocument),
    ...pageMetadata,
  }),
  Type.Object({ type: Type.Literal('delete_page'), page: Id }),
  Type.Object({
    type: Type.Literal('insert_files'),
    files: Type.Array(InsertedFile, { minItems: 1, maxItems: MOST_INSERTED_FILES }),
  }),
]);

export const extensionOperations = {
  /** Every user that the API document shows names this address as its own. */
  getUser: operation({
    section: 'Extensions',
    method: 'GET',
    path: '/v1/users/{userId}',
    success: [200],
    response: User,
  }),
  createSpace: operation({
    section: 'Extensions',
    method: 'POST',
    path: '/v1/orgs/{organizationId}/spaces',
    body: Type.Object({
      title: Type.Optional(Type.String({ maxLength: 50 })),
      emoji: Type.Optional(Type.String({ maxLength: 50 })),
      parent: Type.Optional(Id),
      editMode: Type.Optional(EditMode),
    }),
    bodyOptional: true,
    success: [201],
    response: Space,
  }),
  /** All or nothing, in one new revision. */
  changeContent: operation({
    section: 'Extensions',
    method: 'POST',
    path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content',
    body: Type.Object({ changes: Type.Array(ContentChange, { minItems: 1, maxItems: MOST_CHANGES }) }),
    success: [200],
    response: Type.Object({ changeRequest: ChangeRequest }),
  }),
};
