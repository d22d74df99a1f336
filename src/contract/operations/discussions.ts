// Sections "Change requests", "Space comments" and "Change request comments".
import Type from 'typebox';
import { Flag, Id, Text, Uri } from '../schemas/common.ts';
import {
  CHANGE_REQUEST_STATUSES,
  ChangeRequest,
  Comment,
  CommentBodyInput,
  CommentReply,
  MergeResult,
  UpdateResult,
} from '../schemas/discussions.ts';
import { Format } from './content.ts';
import { list, operation, order, withDefault } from './define.ts';

const REQUESTS = 'Change requests';
const requests = '/v1/spaces/{spaceId}/change-requests';
const request = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}';

export const changeRequestOperations = {
  listChangeRequests: list(REQUESTS, requests, {
    item: ChangeRequest,
    query: {
      status: withDefault(Type.Enum([...CHANGE_REQUEST_STATUSES]), 'open'),
      contributor: Type.Optional(Id),
    },
  }),
  createChangeRequest: operation({
    section: REQUESTS,
    method: 'POST',
    path: requests,
    body: Type.Object({ subject: Type.Optional(Type.String({ maxLength: 100 })) }),
    bodyOptional: true,
    success: [201],
    response: ChangeRequest,
  }),
  getChangeRequest: operation({
    section: REQUESTS,
    method: 'GET',
    path: request,
    success: [200],
    statusFromReference: true,
    response: ChangeRequest,
  }),
  updateChangeRequest: operation({
    section: REQUESTS,
    method: 'PATCH',
    path: request,
    body: Type.Object({
      subject: Type.Optional(Type.String({ maxLength: 100 })),
      // `merged` is reached by merging only (reference platform).
      status: Type.Optional(Type.Enum(['draft', 'open', 'archived'])),
    }),
    success: [200],
    response: ChangeRequest,
  }),
  mergeChangeRequest: operation({
    section: REQUESTS,
    method: 'POST',
    path: `${request}/merge`,
    success: [200],
    response: MergeResult,
  }),
  pullIntoChangeRequest: operation({
    section: REQUESTS,
    method: 'POST',
    path: `${request}/update`,
    success: [200],
    response: UpdateResult,
  }),
  getChangeRequestPdf: operation({
    section: REQUESTS,
    method: 'GET',
    path: `${request}/pdf`,
    // `page` is a page id here, not a list token.
    query: Type.Object({ only: Type.Optional(Flag), page: Type.Optional(Id) }),
    success: [200],
    response: Type.Object({ url: Uri }),
  }),
};

const listQuery = {
  order,
  status: withDefault(Type.Enum(['all', 'open', 'resolved']), 'all'),
  format: Type.Optional(Format),
  targetPage: Type.Optional(Id),
  authors: Type.Optional(Type.Array(Id)),
};
const formatQuery = Type.Object({ format: Type.Optional(Format) });
const reactions = {
  addedReactions: Type.Optional(Type.Array(Text)),
  removedReactions: Type.Optional(Type.Array(Text)),
};
const newComment = Type.Object({
  node: Type.Optional(Id),
  page: Type.Optional(Id),
  body: CommentBodyInput,
});
const editComment = Type.Object({
  resolved: Type.Optional(Flag),
  body: Type.Optional(CommentBodyInput),
  ...reactions,
});
const newReply = Type.Object({ body: CommentBodyInput });

/** The reads and writes of comments that both prefixes share. */
function commentOperations<const S extends string, const P extends string>(section: S, prefix: P) {
  const all = `${prefix}/comments` as const;
  const one = `${all}/{commentId}` as const;
  const replies = `${one}/replies` as const;
  const reply = `${replies}/{commentReplyId}` as const;
  return {
    list: list(section, all, { item: Comment, query: listQuery }),
    create: operation({
      section,
      method: 'POST',
      path: all,
      body: newComment,
      success: [200],
      response: Comment,
    }),
    get: operation({
      section,
      method: 'GET',
      path: one,
      query: formatQuery,
      success: [200],
      response: Comment,
    }),
    update: operation({
      section,
      method: 'PUT',
      path: one,
      body: editComment,
      success: [200],
      response: Comment,
    }),
    remove: operation({ section, method: 'DELETE', path: one, success: [205] }),
    listReplies: list(section, replies, {
      item: CommentReply,
      query: { format: Type.Optional(Format) },
    }),
    getReply: operation({
      section,
      method: 'GET',
      path: reply,
      query: formatQuery,
      success: [200],
      response: CommentReply,
    }),
    replies,
    reply,
  };
}

const SPACE_COMMENTS = 'Space comments';
const REQUEST_COMMENTS = 'Change request comments';
const ofSpace = commentOperations(SPACE_COMMENTS, '/v1/spaces/{spaceId}');
const ofRequest = commentOperations(REQUEST_COMMENTS, request);

export const commentOperationTable = {
  listComments: ofSpace.list,
  createComment: ofSpace.create,
  getComment: ofSpace.get,
  updateComment: ofSpace.update,
  deleteComment: ofSpace.remove,
  listCommentReplies: ofSpace.listReplies,
  createCommentReply: operation({
    section: SPACE_COMMENTS,
    method: 'POST',
    path: ofSpace.replies,
    body: newReply,
    success: [200],
    response: CommentReply,
  }),
  getCommentReply: ofSpace.getReply,
  updateCommentReply: operation({
    section: SPACE_COMMENTS,
    method: 'PUT',
    path: ofSpace.reply,
    body: Type.Object({ body: Type.Optional(CommentBodyInput), ...reactions }),
    success: [200],
    response: CommentReply,
  }),
  listChangeRequestComments: ofRequest.list,
  createChangeRequestComment: ofRequest.create,
  getChangeRequestComment: ofRequest.get,
  updateChangeRequestComment: ofRequest.update,
  deleteChangeRequestComment: ofRequest.remove,
  listChangeRequestCommentReplies: ofRequest.listReplies,
  createChangeRequestCommentReply: operation({
    section: REQUEST_COMMENTS,
    method: 'POST',
    path: ofRequest.replies,
    query: formatQuery,
    body: newReply,
    success: [200],
    response: CommentReply,
  }),
  getChangeRequestCommentReply: ofRequest.getReply,
};
