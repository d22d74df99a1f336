import { isRecord } from '../../base/index.ts';
import type { Comment, CommentReply, Role } from '../../contract/index.ts';
import { postPermissions } from '../access/permissions.ts';
import type { Caller } from '../access/authorize.ts';
import { withComputedPages } from '../content/computed-pages.ts';
import { documentNodes } from '../../document/index.ts';
import type { StoredRevision } from '../content/revision-cache.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { showUser } from '../store/people.ts';
import { reactionsTo, type StoredComment, type StoredReply } from '../store/posts.ts';
import { readRevision } from '../store/revisions.ts';
import type { PostRow } from '../store/tables.ts';

export type BodyFormat = 'markdown' | 'document';

/** How a comment is to be shown: for whom, in which format, and against which content. */
export interface CommentView {
  caller: Caller;
  format: BodyFormat;
  /** The active revision of the place; finds the title and path of the page meant. */
  revision: StoredRevision;
}

export function showComment(context: PlatformContext, row: StoredComment, view: CommentView): Comment {
  const location = commentLocation(context, row);
  return defined({
    object: 'comment' as const,
    ...showPost(context, row, view),
    replies: row.replies,
    target: defined({
      node: row.node === null ? undefined : { id: row.node },
      changeRequest: row.change_request ?? undefined,
      page: targetPage(context, row, view.revision),
      space: row.space,
      revision: row.revision,
    }),
    urls: { location },
    permissions: permissionsFor(view.caller, row),
    status: row.status,
    resolvedAt: row.resolved_at ?? undefined,
    resolvedBy: row.resolved_by === null ? undefined : showUser(context, row.resolved_by),
  });
}

export function showReply(
  context: PlatformContext,
  reply: { row: StoredReply; comment: StoredComment },
  view: Omit<CommentView, 'revision'>,
): CommentReply {
  return {
    object: 'comment-reply' as const,
    ...showPost(context, reply.row, view),
    urls: { location: `${commentLocation(context, reply.comment)}/replies/${reply.row.id}` },
    permissions: permissionsFor(view.caller, reply.row),
  };
}

function showPost(context: PlatformContext, row: PostRow, view: { format: BodyFormat }) {
  return defined({
    id: row.id,
    postedBy: showUser(context, row.posted_by),
    postedAt: row.posted_at,
    editedAt: row.edited_at ?? undefined,
    reactions: reactionsTo(context, row.id),
    body: view.format === 'markdown' ? { markdown: row.markdown } : { document: documentOf(row) },
  });
}

function documentOf(row: PostRow) {
  const posted: unknown = row.document === null ? null : JSON.parse(row.document);
  const { data, nodes }: Record<string, unknown> = isRecord(posted) ? posted : {};
  return {
    object: 'document' as const,
    data: isRecord(data) ? data : {},
    nodes: Array.isArray(nodes) ? (nodes as unknown[]) : documentNodes(row.markdown),
  };
}

// A page that is gone is shown as it was when the comment was written, and marked as outdated.
function targetPage(context: PlatformContext, row: StoredComment, revision: StoredRevision) {
  if (row.page === null) return undefined;
  const present = revision.pages.get(row.page);
  const page = present ?? withComputedPages(context, readRevision(context, row.revision)).pages.get(row.page);
  if (!page) return { id: row.page, outdated: true };
  const times = page.updatedAt === undefined ? {} : { createdAt: page.createdAt, updatedAt: page.updatedAt };
  return defined({
    id: page.id,
    title: page.title,
    emoji: page.emoji,
    icon: page.icon,
    ...times,
    path: page.type === 'link' ? undefined : page.path,
    outdated: present === undefined,
  });
}

function permissionsFor(caller: { user: string; role: Role | null }, row: PostRow) {
  return postPermissions(caller.role, caller.user === row.posted_by);
}

function commentLocation(context: PlatformContext, row: StoredComment): string {
  const request = row.change_request === null ? '' : `/change-requests/${row.change_request}`;
  return `${context.url}/v1/spaces/${row.space}${request}/comments/${row.id}`;
}
