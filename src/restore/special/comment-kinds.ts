// Comments and replies: what platforms send mail about when it is written.
import type { KindName } from '../../contract/index.ts';

const COMMENT_KINDS: ReadonlySet<KindName> = new Set<KindName>([
  'comment',
  'comment-reply',
  'change-request-comment',
  'change-request-comment-reply',
]);

export function isComment(kind: KindName): boolean {
  return COMMENT_KINDS.has(kind);
}
