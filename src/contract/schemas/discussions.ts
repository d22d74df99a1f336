// Change requests, comments and replies. Source: the API document, "ChangeRequest", "Comment", "CommentReply".
import Type from 'typebox';
import { Count, DateTime, Flag, Id, Text, User, entity, partial } from './common.ts';
import { DocumentBody } from './content.ts';

/** Statuses of change requests that people still work on. */
export const UNDER_WAY_STATUSES = ['draft', 'open'] as const;
/** Those of change requests of which nothing will be edited any more, unless somebody takes them up again. */
export const SETTLED_STATUSES = ['archived', 'merged'] as const;
export const CHANGE_REQUEST_STATUSES = [...UNDER_WAY_STATUSES, ...SETTLED_STATUSES] as const;

/** A status that the contract does not know is neither under way nor settled. */
export function isUnderWay(status: unknown): boolean {
  return UNDER_WAY_STATUSES.some((one) => one === status);
}

/** True for the status of a change request that was merged or archived: nobody edits it any more. */
export function isSettled(status: unknown): boolean {
  return SETTLED_STATUSES.some((one) => one === status);
}

export const ChangeRequest = entity('change-request', {
  id: Id,
  number: Type.Number(),
  status: Type.Enum([...CHANGE_REQUEST_STATUSES]),
  subject: Type.String({ maxLength: 100 }),
  createdBy: User,
  createdAt: DateTime,
  updatedAt: DateTime,
  revision: Id,
  revisionInitial: Id,
  revisionMergedAncestor: Type.Optional(Id),
  revisionMerged: Type.Optional(Id),
  comments: Count,
  outdated: Flag,
  urls: partial({ app: Text, location: Text }),
});

/** `conflicts` means: applied, and the content may need repair by a person (reference platform). */
export const MergeResult = Type.Object({ revision: Id, result: Type.Enum(['merge', 'conflicts']) });
export const UpdateResult = Type.Object({
  revision: Id,
  result: Type.Enum(['update', 'conflicts']),
});

/** One of three shapes by `format`; the empty object is "no body". */
export const CommentBody = Type.Union([
  Type.Object({ markdown: Text }),
  Type.Object({ document: DocumentBody }),
  Type.Object({}),
]);

/** A request's body must say something. */
export const CommentBodyInput = Type.Union([
  Type.Object({ markdown: Type.String({ minLength: 1 }) }),
  Type.Object({ document: DocumentBody }),
]);

export const Reaction = Type.Object({
  emoji: Text,
  count: Count,
  users: Type.Array(Type.Object({ user: User, reactedAt: DateTime })),
});

const COMMENT_STATUSES = ['open', 'resolved'] as const;

const CommentTarget = partial({
  node: partial({ id: Id, preview: Text }),
  changeRequest: Id,
  review: Id,
  page: partial({
    id: Id,
    title: Text,
    emoji: Text,
    icon: Text,
    createdAt: DateTime,
    updatedAt: DateTime,
    path: Text,
    outdated: Flag,
  }),
  space: Id,
  revision: Id,
});

const post = {
  id: Id,
  postedBy: User,
  postedAt: DateTime,
  editedAt: Type.Optional(DateTime),
  reactions: Type.Array(Reaction),
  body: CommentBody,
  urls: partial({ location: Text }),
  permissions: partial({ view: Flag, edit: Flag, reply: Flag, delete: Flag }),
};

export const Comment = entity('comment', {
  ...post,
  replies: Count,
  target: CommentTarget,
  status: Type.Enum([...COMMENT_STATUSES]),
  resolvedAt: Type.Optional(DateTime),
  resolvedBy: Type.Optional(User),
});

export const CommentReply = entity('comment-reply', post);
