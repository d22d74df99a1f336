import type { PlatformContext } from '../context.ts';
import {
  createCommentOf,
  createReplyOf,
  deleteCommentOf,
  getCommentOf,
  getReplyOf,
  listCommentsOf,
  listRepliesOf,
  updateCommentOf,
  updateReplyOf,
  type CommentScope,
} from './comments-core.ts';
import type { Handlers } from './types.ts';

// Comments answer Markdown unless asked otherwise, as the API document shows them.
function scopeOf(
  context: PlatformContext,
  request: Pick<CommentScope, 'path' | 'caller'> & { query?: { format?: CommentScope['format'] } },
): CommentScope {
  return { context, path: request.path, caller: request.caller, format: request.query?.format ?? 'markdown' };
}

export const commentHandlers = {
  listComments: (context, request) => listCommentsOf(scopeOf(context, request), request.query),
  createComment: (context, request) => createCommentOf(scopeOf(context, request), request.body),
  getComment: (context, request) => getCommentOf(scopeOf(context, request), request.path.commentId),
  updateComment: (context, request) => updateCommentOf(scopeOf(context, request), request.path.commentId, request.body),
  deleteComment: (context, request) => deleteCommentOf(scopeOf(context, request), request.path.commentId),
  listCommentReplies: (context, request) =>
    listRepliesOf(scopeOf(context, request), request.path.commentId, request.query),
  createCommentReply: (context, request) =>
    createReplyOf(scopeOf(context, request), request.path.commentId, request.body.body),
  getCommentReply: (context, request) => getReplyOf(scopeOf(context, request), replyPath(request.path)),
  updateCommentReply: (context, request) =>
    updateReplyOf(scopeOf(context, request), replyPath(request.path), request.body),

  listChangeRequestComments: (context, request) => listCommentsOf(scopeOf(context, request), request.query),
  createChangeRequestComment: (context, request) => createCommentOf(scopeOf(context, request), request.body),
  getChangeRequestComment: (context, request) => getCommentOf(scopeOf(context, request), request.path.commentId),
  updateChangeRequestComment: (context, request) =>
    updateCommentOf(scopeOf(context, request), request.path.commentId, request.body),
  deleteChangeRequestComment: (context, request) => deleteCommentOf(scopeOf(context, request), request.path.commentId),
  listChangeRequestCommentReplies: (context, request) =>
    listRepliesOf(scopeOf(context, request), request.path.commentId, request.query),
  createChangeRequestCommentReply: (context, request) =>
    createReplyOf(scopeOf(context, request), request.path.commentId, request.body.body),
  getChangeRequestCommentReply: (context, request) => getReplyOf(scopeOf(context, request), replyPath(request.path)),
} satisfies Handlers;

function replyPath(path: { commentId: string; commentReplyId: string }) {
  return { comment: path.commentId, reply: path.commentReplyId };
}
