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

/** What comments have in common, wherever they stand. */
const comment = {
  view: 'comments',
  schema: Comment,
  id: 'id',
  movesWith: ['comments', 'updatedAt'],
  countedAtLeastBy: 'comments',
  refs: {
    'target.page.id': 'page',
    'target.space': 'space',
    'target.changeRequest': 'change-request',
  },
  recovery: commentRecovery,
} as const;

/** And replies. */
const reply = {
  view: 'comment_replies',
  schema: CommentReply,
  id: 'id',
  movesWith: ['replies'],
  countedBy: 'replies',
} as const;

/** Resolved ones too, in the order in which they were written. */
const EVERY = { format: 'markdown', status: 'all', order: 'asc' } as const;

const space = ['spaceId'] as const;
const request = ['spaceId', 'changeRequestId'] as const;

export const commentKinds = {
  comment: kind({
    ...comment,
    parent: 'space',
    params: [...space, 'commentId'],
    read: { from: 'list', operation: 'listComments', query: EVERY },
    get: 'getComment',
    create: 'createComment',
    update: 'updateComment',
    remove: 'deleteComment',
  }),
  'comment-reply': kind({
    ...reply,
    parent: 'comment',
    params: [...space, 'commentId', 'commentReplyId'],
    read: { from: 'list', operation: 'listCommentReplies', query: { format: 'markdown' } },
    get: 'getCommentReply',
    create: 'createCommentReply',
    update: 'updateCommentReply',
    recovery: postRecovery,
  }),
  'change-request-comment': kind({
    ...comment,
    parent: 'change-request',
    params: [...request, 'commentId'],
    read: { from: 'list', operation: 'listChangeRequestComments', query: EVERY },
    get: 'getChangeRequestComment',
    create: 'createChangeRequestComment',
    update: 'updateChangeRequestComment',
    remove: 'deleteChangeRequestComment',
  }),
  'change-request-comment-reply': kind({
    ...reply,
    parent: 'change-request-comment',
    params: [...request, 'commentId', 'commentReplyId'],
    read: {
      from: 'list',
      operation: 'listChangeRequestCommentReplies',
      query: { format: 'markdown' },
    },
    get: 'getChangeRequestCommentReply',
    create: 'createChangeRequestCommentReply',
    recovery: { ...postRecovery, reactions: noOperation },
  }),
};
