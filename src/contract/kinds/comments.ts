// Comments and replies, on spaces and on change requests.
import { Comment, CommentReply } from '../schemas/discussions.ts';
import { bestEffort, counted, identity, kind, noOperation, serverSet } from './define.ts';

const credit = bestEffort('a visible credit line names the author and the time');
const postRecovery = {
  ...identity,
  postedBy: credit,
  postedAt: credit,
  editedAt: serverSet,
  body: bestEffort(
    'the text, below a credit line; its mentions are written so that they call nobody, unless asked for',
  ),
  reactions: bestEffort('the emoji, given by the account that restores'),
};

const commentRecovery = {
  ...postRecovery,
  replies: counted,
  target: bestEffort('the page; the block inside it is not addressable after an import'),
  resolvedAt: serverSet,
  resolvedBy: serverSet,
};

const space = ['spaceId'] as const;
const request = ['spaceId', 'changeRequestId'] as const;

export const commentKinds = {
  comment: kind({
    view: 'comments',
    schema: Comment,
    parent: 'space',
    params: [...space, 'commentId'],
    id: 'id',
    read: {
      from: 'list',
      operation: 'listComments',
      query: { format: 'markdown', status: 'all', order: 'asc' },
    },
    get: 'getComment',
    create: 'createComment',
    update: 'updateComment',
    remove: 'deleteComment',
    movesWith: ['comments', 'updatedAt'],
    countedAtLeastBy: 'comments',
    refs: {
      'target.page.id': 'page',
      'target.space': 'space',
      'target.changeRequest': 'change-request',
    },
    recovery: commentRecovery,
  }),
  'comment-reply': kind({
    view: 'comment_replies',
    schema: CommentReply,
    parent: 'comment',
    params: [...space, 'commentId', 'commentReplyId'],
    id: 'id',
    read: { from: 'list', operation: 'listCommentReplies', query: { format: 'markdown' } },
    get: 'getCommentReply',
    create: 'createCommentReply',
    update: 'updateCommentReply',
    movesWith: ['replies'],
    countedBy: 'replies',
    recovery: postRecovery,
  }),
  'change-request-comment': kind({
    view: 'comments',
    schema: Comment,
    parent: 'change-request',
    params: [...request, 'commentId'],
    id: 'id',
    read: {
      from: 'list',
      operation: 'listChangeRequestComments',
      query: { format: 'markdown', status: 'all', order: 'asc' },
    },
    get: 'getChangeRequestComment',
    create: 'createChangeRequestComment',
    update: 'updateChangeRequestComment',
    remove: 'deleteChangeRequestComment',
    movesWith: ['comments', 'updatedAt'],
    countedAtLeastBy: 'comments',
    refs: {
      'target.page.id': 'page',
      'target.space': 'space',
      'target.changeRequest': 'change-request',
    },
    recovery: commentRecovery,
  }),
  'change-request-comment-reply': kind({
    view: 'comment_replies',
    schema: CommentReply,
    parent: 'change-request-comment',
    params: [...request, 'commentId', 'commentReplyId'],
    id: 'id',
    read: {
      from: 'list',
      operation: 'listChangeRequestCommentReplies',
      query: { format: 'markdown' },
    },
    get: 'getChangeRequestCommentReply',
    create: 'createChangeRequestCommentReply',
    movesWith: ['replies'],
    countedBy: 'replies',
    recovery: { ...postRecovery, reactions: noOperation },
  }),
};
