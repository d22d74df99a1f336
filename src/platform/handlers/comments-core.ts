// What the comments of spaces and of change requests share; handlers/comments.ts names the operations.
import { isoTime } from '../../base/index.ts';
import {
  type BodyOf,
  type Comment,
  type CommentReply,
  type ReadQueryOf,
  listPage,
  forbidden,
  invalid,
  Refusal,
} from '../../contract/index.ts';
import type { Caller } from '../access/authorize.ts';
import { reaches } from '../access/roles.ts';
import { withComputedPages } from '../content/computed-pages.ts';
import { markdownOfNodes } from '../../document/index.ts';
import { pageIn } from '../content/resolve-revision.ts';
import type { StoredRevision } from '../content/revision-cache.ts';
import type { PlatformContext } from '../context.ts';
import { showComment, showReply, type CommentView } from '../show/comment.ts';
import { findChangeRequest, updateChangeRequestRow } from '../store/change-requests.ts';
import {
  changeReactions,
  commentRows,
  countComments,
  findComment,
  findReply,
  replyRows,
  type CommentPlace,
  type StoredComment,
} from '../store/posts.ts';
import { readRevision } from '../store/revisions.ts';
import { findSpace, updateSpaceRow } from '../store/spaces.ts';
import type { PostRow } from '../store/tables.ts';

export interface CommentScope {
  context: PlatformContext;
  caller: Caller;
  /** Path parameters. */
  path: { spaceId: string; changeRequestId?: string };
  format: CommentView['format'];
}

type PostBody = BodyOf<'createComment'>['body'];
type CommentEdit = BodyOf<'updateComment'>;

interface Place extends CommentPlace {
  revision: string;
}

function placeOf({ context, path }: CommentScope): Place {
  const space = findSpace(context, path.spaceId);
  if (path.changeRequestId === undefined) return { space: space.id, changeRequest: null, revision: space.revision };
  const request = findChangeRequest(context, space.id, path.changeRequestId);
  return { space: space.id, changeRequest: request.id, revision: request.revision };
}

/** Pages that are made from a specification take comments like every other page. */
function shownRevision({ context }: CommentScope, place: Place): StoredRevision {
  return withComputedPages(context, readRevision(context, place.revision));
}

function viewOf(scope: CommentScope, place: Place): CommentView {
  const { caller, format } = scope;
  return { caller, format, revision: shownRevision(scope, place) };
}

/** Every change in a discussion moves `updatedAt` of where it stands. */
function touch(context: PlatformContext, place: CommentPlace): void {
  if (place.changeRequest === null) updateSpaceRow(context, place.space, {});
  else updateChangeRequestRow(context, findChangeRequest(context, place.space, place.changeRequest), {});
}

function bodyColumns(body: PostBody): Pick<PostRow, 'markdown' | 'document'> {
  // Only one of them was checked, and which of them is meant nobody can tell.
  if ('markdown' in body && 'document' in body) throw invalid('body', 'holds either markdown or document');
  if ('markdown' in body) return { markdown: body.markdown, document: null };
  const markdown = markdownOfNodes(body.document.nodes);
  if (markdown === '') throw invalid('body/document', 'must hold some text');
  return { markdown, document: JSON.stringify(body.document) };
}

export function listCommentsOf(scope: CommentScope, query: ReadQueryOf<'listComments'>) {
  const { context } = scope;
  const place = placeOf(scope);
  const { status, order, targetPage = null, authors = [] } = query;
  const filter = { space: place.space, changeRequest: place.changeRequest, status, order, page: targetPage, authors };
  const view = viewOf(scope, place);
  return listPage(
    { list: ['comments', place.space, place.changeRequest ?? '', order], query },
    {
      count: () => countComments(context, filter),
      rows: (after, limit) => commentRows(context, filter, { after: after ? Number(after[0]) : null, limit }),
      key: (row) => [row.seq],
      item: (row) => showComment(context, row, view),
    },
  );
}

export function getCommentOf(scope: CommentScope, id: string): Comment {
  const place = placeOf(scope);
  return showComment(scope.context, findComment(scope.context, place, id), viewOf(scope, place));
}

export function createCommentOf(scope: CommentScope, body: BodyOf<'createComment'>): Comment {
  const { context, caller } = scope;
  const place = placeOf(scope);
  if (body.page !== undefined) demandPage(scope, place, body.page);
  const id = context.random.id();
  context.db.run(
    context.db.sql.insertInto('comments').values({
      id,
      space: place.space,
      change_request: place.changeRequest,
      page: body.page ?? null,
      node: body.node ?? null,
      revision: place.revision,
      posted_by: caller.user,
      posted_at: isoTime(context.clock.now()),
      edited_at: null,
      ...bodyColumns(body.body),
      status: 'open',
      resolved_at: null,
      resolved_by: null,
    }),
  );
  touch(context, place);
  return getCommentOf(scope, id);
}

function demandPage(scope: CommentScope, place: Place, id: string): void {
  try {
    pageIn(shownRevision(scope, place), id);
  } catch (error) {
    throw error instanceof Refusal ? invalid('page', error.message) : error;
  }
}

export function updateCommentOf(scope: CommentScope, id: string, edit: CommentEdit): Comment {
  const { context, caller } = scope;
  const place = placeOf(scope);
  const row = findComment(context, place, id);
  const fields = { ...editedBody(scope, row, edit.body), ...resolution(scope, row, edit.resolved) };
  const changed = Object.keys(fields).length > 0;
  if (changed) context.db.run(context.db.sql.updateTable('comments').set(fields).where('id', '=', id));
  const reacted = changeReactions(context, { id, user: caller.user }, reactionsIn(edit));
  if (changed || reacted) touch(context, place);
  return getCommentOf(scope, id);
}

function editedBody(scope: CommentScope, row: PostRow, body: PostBody | undefined) {
  if (body === undefined) return {};
  demandOwn(scope.caller, row);
  return { ...bodyColumns(body), edited_at: isoTime(scope.context.clock.now()) };
}

function resolution(scope: CommentScope, row: StoredComment, resolved: boolean | undefined) {
  if (resolved === undefined || resolved === (row.status === 'resolved')) return {};
  if (!resolved) return { status: 'open' as const, resolved_at: null, resolved_by: null };
  return {
    status: 'resolved' as const,
    resolved_at: isoTime(scope.context.clock.now()),
    resolved_by: scope.caller.user,
  };
}

function reactionsIn(edit: { addedReactions?: string[]; removedReactions?: string[] }) {
  return { added: edit.addedReactions ?? [], removed: edit.removedReactions ?? [] };
}

function demandOwn(caller: Caller, row: PostRow): void {
  if (row.posted_by === caller.user || reaches(caller.role, 'admin')) return;
  throw forbidden('Only its author or an administrator can change or delete it');
}

export function deleteCommentOf(scope: CommentScope, id: string): undefined {
  const { context, caller } = scope;
  const place = placeOf(scope);
  demandOwn(caller, findComment(context, place, id));
  context.db.run(context.db.sql.deleteFrom('comments').where('id', '=', id));
  touch(context, place);
  return undefined;
}

export function listRepliesOf(scope: CommentScope, commentId: string, query: ReadQueryOf<'listCommentReplies'>) {
  const { context } = scope;
  const comment = findComment(context, placeOf(scope), commentId);
  return listPage(
    { list: ['replies', commentId], query },
    {
      count: () => comment.replies,
      rows: (after, limit) => replyRows(context, commentId, { after: Number(after?.[0] ?? 0), limit }),
      key: (row) => [row.seq],
      item: (row) => showReply(context, { row, comment }, scope),
    },
  );
}

export interface ReplyPath {
  comment: string;
  reply: string;
}

export function getReplyOf(scope: CommentScope, path: ReplyPath): CommentReply {
  const comment = findComment(scope.context, placeOf(scope), path.comment);
  return showReply(scope.context, { row: findReply(scope.context, comment.id, path.reply), comment }, scope);
}

export function createReplyOf(scope: CommentScope, comment: string, body: PostBody): CommentReply {
  const { context, caller } = scope;
  const place = placeOf(scope);
  findComment(context, place, comment);
  const id = context.random.id();
  context.db.run(
    context.db.sql.insertInto('replies').values({
      id,
      comment,
      posted_by: caller.user,
      posted_at: isoTime(context.clock.now()),
      edited_at: null,
      ...bodyColumns(body),
    }),
  );
  touch(context, place);
  return getReplyOf(scope, { comment, reply: id });
}

export function updateReplyOf(scope: CommentScope, path: ReplyPath, edit: BodyOf<'updateCommentReply'>): CommentReply {
  const { context, caller } = scope;
  const place = placeOf(scope);
  const row = findReply(context, findComment(context, place, path.comment).id, path.reply);
  const fields = editedBody(scope, row, edit.body);
  const changed = Object.keys(fields).length > 0;
  if (changed) context.db.run(context.db.sql.updateTable('replies').set(fields).where('id', '=', row.id));
  const reacted = changeReactions(context, { id: row.id, user: caller.user }, reactionsIn(edit));
  if (changed || reacted) touch(context, place);
  return getReplyOf(scope, path);
}
