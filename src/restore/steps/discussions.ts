// Change requests, comments and replies.
import { isRecord } from '../../base/index.ts';
import { isReply, parentKind } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { byCredit, creditedText } from '../special/credit.ts';
import { leadingWithin, withinOf } from '../journal/id-map.ts';
import { turned } from '../links/address-links.ts';
import { defuseMentions } from '../special/mentions.ts';
import { commentText, emojiIn, keyAbove, spaceOf, textAt } from '../resource.ts';
import type { ApplyContext } from '../types.ts';
import { NOT_OFFERED } from '../answers.ts';
import { created } from './created.ts';
import { REFUSALS } from './each-alone.ts';
import { update } from './operations.ts';
import { original, setting } from './original.ts';

function newSpace(context: ApplyContext, resource: Resource): string {
  return context.ids.need('space', spaceOf(resource));
}

function requestKey(resource: Resource): string {
  return `${spaceOf(resource)}/${resource.params['changeRequestId'] ?? ''}`;
}

/** Path of a comment's container: the space, or the change request in it. */
function containerPath(context: ApplyContext, resource: Resource): { spaceId: string; changeRequestId: string } {
  const changeRequestId =
    resource.params['changeRequestId'] === undefined ? '' : context.ids.need('change-request', requestKey(resource));
  return { spaceId: newSpace(context, resource), changeRequestId };
}

export const createChangeRequest = created({
  path: (context, request) => ({ spaceId: newSpace(context, request) }),
  body: (_context, { body }) => ({ subject: textAt(body, 'subject') ?? '' }),
  knownBy: ['subject'],
  query: { status: 'draft' },
});

export const setChangeRequestStatus = setting(async (context, step) => {
  const request = original(context, step);
  const status = request.body['status'] === 'open' ? ('open' as const) : ('archived' as const);
  await update(context, request, { status });
});

/** The restored page that a comment stands on. */
function targetPage(context: ApplyContext, resource: Resource): string | undefined {
  const target = resource.body['target'];
  const page = isRecord(target) && isRecord(target['page']) ? textAt(target['page'], 'id') : undefined;
  if (page === undefined) return undefined;
  const inRequest = context.ids.get('change-request-page', `${requestKey(resource)}/${page}`);
  return inRequest ?? context.ids.get('page', `${spaceOf(resource)}/${page}`);
}

/** Pages of its own space too: whether a platform knows these by id in a comment, no document says. */
function readAddresses(context: ApplyContext, resource: Resource): Promise<void> {
  const texts = [creditedText(resource.body) ?? ''];
  return context.shown.readMissing(context, { own: spaceOf(resource), texts, isAnywhere: true });
}

function newText(context: ApplyContext, resource: Resource): string {
  const { addresses, shown, ids, live } = context;
  const leading = leadingWithin(ids, withinOf(resource));
  const turning = { ...leading, addresses, shown, isInPlace: live !== null, isAnywhere: true };
  const text = turned(creditedText(resource.body) ?? '', turning);
  return context.plan.keepMentions ? text : defuseMentions(text);
}

export const createComment = created({
  path: containerPath,
  body: (context, comment) => {
    const page = targetPage(context, comment);
    return { body: { markdown: newText(context, comment) }, ...(page === undefined ? {} : { page }) };
  },
  prepare: readAddresses,
  knownBy: ['body.markdown'],
  likely: (wanted, all) => byCredit(commentText(wanted) ?? '', all),
  // A page that is not there any more is one that the comment can do without.
  refusals: [...REFUSALS, ...NOT_OFFERED],
});

/** Path of a restored comment; its key is that of the reply without the last part. */
function commentPath(
  context: ApplyContext,
  resource: Resource,
): { spaceId: string; changeRequestId: string; commentId: string } {
  const [kind, key] = isReply(resource.kind)
    ? [parentKind(resource.kind) ?? resource.kind, keyAbove(resource.key)]
    : [resource.kind, resource.key];
  return { ...containerPath(context, resource), commentId: context.ids.need(kind, key) };
}

export const createReply = created({
  path: commentPath,
  body: (context, reply) => ({ body: { markdown: newText(context, reply) } }),
  prepare: readAddresses,
  knownBy: ['body.markdown'],
  likely: (wanted, all) => byCredit(commentText(wanted) ?? '', all),
});

/** Reactions and resolution in one write; giving the same reaction twice does no harm. */
export const setCommentState = setting(async (context, step) => {
  const comment = original(context, step);
  const emoji = emojiIn(comment.body);
  const isResolved = !isReply(step.kind) && comment.body['status'] === 'resolved';
  const body = { ...(emoji.length === 0 ? {} : { addedReactions: emoji }), ...(isResolved ? { resolved: true } : {}) };
  await update(context, comment, body);
});
