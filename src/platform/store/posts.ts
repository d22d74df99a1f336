// Comments, their replies, and the reactions to both.
import { isoTime, groupBy } from '../../base/index.ts';
import { type Reaction, notFound } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { showUser } from './people.ts';
import type { CommentRow, ReactionRow, ReplyRow } from './tables.ts';

export interface StoredComment extends CommentRow {
  seq: number;
  replies: number;
}

export interface StoredReply extends ReplyRow {
  seq: number;
}

const COUNTED = 'select c.*, (select count(*) from replies r where r.comment = c.id) as replies from comments c';

/** `changeRequest` null means the space's own comments. */
export interface CommentPlace {
  space: string;
  changeRequest: string | null;
}

export interface CommentFilter extends CommentPlace {
  status: 'all' | 'open' | 'resolved';
  order: 'asc' | 'desc';
  page: string | null;
  /** User ids; empty means everybody. */
  authors: readonly string[];
}

export function findComment(context: Pick<PlatformContext, 'db'>, place: CommentPlace, id: string): StoredComment {
  const row = context.db
    .prepare<StoredComment>(`${COUNTED} where c.id = ? and c.space = ? and c.change_request is ?`)
    .get(id, place.space, place.changeRequest);
  if (!row) throw notFound('Comment', id);
  return row;
}

const FILTER = `c.space = @space and c.change_request is @changeRequest and (@status = 'all' or c.status = @status)
  and (@page is null or c.page = @page)
  and (@authors = '[]' or c.posted_by in (select value from json_each(@authors)))`;

export function commentRows(
  context: Pick<PlatformContext, 'db'>,
  filter: CommentFilter,
  page: { after: number | null; limit: number },
): StoredComment[] {
  const [compare, start] = filter.order === 'asc' ? ['>', 0] : ['<', Number.MAX_SAFE_INTEGER];
  return context.db
    .prepare<StoredComment>(
      `${COUNTED} where ${FILTER} and c.seq ${compare} @after order by c.seq ${filter.order} limit @limit`,
    )
    .all({ ...bound(filter), after: page.after ?? start, limit: page.limit });
}

export function countComments(context: Pick<PlatformContext, 'db'>, filter: CommentFilter): number {
  const row = context.db
    .prepare<{ n: number }>(`select count(*) as n from comments c where ${FILTER}`)
    .get(bound(filter));
  return row?.n ?? 0;
}

function bound(filter: CommentFilter): Record<string, unknown> {
  const { order: _, ...rest } = filter;
  return { ...rest, authors: JSON.stringify(filter.authors) };
}

export function findReply(context: Pick<PlatformContext, 'db'>, comment: string, id: string): StoredReply {
  const row = context.db.prepare<StoredReply>('select * from replies where id = ? and comment = ?').get(id, comment);
  if (!row) throw notFound('Reply', id);
  return row;
}

/** Oldest first. */
export function replyRows(
  context: Pick<PlatformContext, 'db'>,
  comment: string,
  page: { after: number; limit: number },
): StoredReply[] {
  return context.db
    .prepare<StoredReply>('select * from replies where comment = ? and seq > ? order by seq limit ?')
    .all(comment, page.after, page.limit);
}

export function reactionsTo(context: PlatformContext, post: string): Reaction[] {
  const rows = context.db.prepare<ReactionRow>('select * from reactions where post = ? order by seq').all(post);
  const byEmoji = groupBy(rows, (row) => row.emoji);
  return Array.from(byEmoji, ([emoji, given]) => ({
    emoji,
    count: given.length,
    users: given.map((row) => ({ user: showUser(context, row.user), reactedAt: row.reacted_at })),
  }));
}

/** Adds and removes the user's own reactions; answers whether that changed anything. */
export function changeReactions(
  context: PlatformContext,
  post: { id: string; user: string },
  change: { added: readonly string[]; removed: readonly string[] },
): boolean {
  const now = isoTime(context.clock.now());
  let changes = 0;
  for (const emoji of change.added) {
    const add = context.db.prepare(
      'insert into reactions (post, emoji, user, reacted_at) values (?, ?, ?, ?) on conflict do nothing',
    );
    changes += add.run(post.id, emoji, post.user, now).changes;
  }
  for (const emoji of change.removed) {
    const remove = context.db.prepare('delete from reactions where post = ? and emoji = ? and user = ?');
    changes += remove.run(post.id, emoji, post.user).changes;
  }
  return changes > 0;
}
