// Change requests, comments and replies.
import { isRecord } from '../../base/index.ts';
import { isComment, parentKind, type Comment, type CommentReply } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { creditedText, textOf } from '../special/credit.ts';
import { mapLinks } from '../links/links.ts';
import { defuseMentions } from '../special/mentions.ts';
import { keyAbove, textAt } from '../resource.ts';
import type { ApplyContext, PlanStep, StepWork } from '../types.ts';
import { itemsOf } from './items-of.ts';
import { nothing, original } from './original.ts';

function newSpace(context: ApplyContext, resource: Resource): string {
  return context.ids.need('space', resource.params['spaceId'] ?? '');
}

function requestKey(resource: Resource): string {
  return `${resource.params['spaceId'] ?? ''}/${resource.params['changeRequestId'] ?? ''}`;
}

/** Path of a comment's container: the space, or the change request in it. */
function containerPath(context: ApplyContext, resource: Resource): { spaceId: string; changeRequestId: string } {
  const changeRequestId =
    resource.params['changeRequestId'] === undefined ? '' : context.ids.need('change-request', requestKey(resource));
  return { spaceId: newSpace(context, resource), changeRequestId };
}

export const createChangeRequest: StepWork = {
  write: async (context, step) => {
    const resource = original(context, step);
    const body = { subject: textAt(resource.body, 'subject') ?? '' };
    const path = { spaceId: newSpace(context, resource) };
    const made = await context.client.call('createChangeRequest', { path, body }, { signal: context.signal });
    return { newId: made.id };
  },
  find: async (context, step) => {
    const resource = original(context, step);
    const path = { spaceId: newSpace(context, resource) };
    for await (const page of context.client.paginate(
      'listChangeRequests',
      { path, query: { status: 'draft' } },
      { signal: context.signal },
    )) {
      const found = page.items.find(
        (one) => one.subject === resource.body['subject'] && !context.ids.isTaken('change-request', one.id),
      );
      if (found) return { newId: found.id };
    }
    return null;
  },
};

export const setChangeRequestStatus: StepWork = {
  write: async (context, step) => {
    const resource = original(context, step);
    const status = resource.body['status'] === 'open' ? ('open' as const) : ('archived' as const);
    const path = {
      spaceId: newSpace(context, resource),
      changeRequestId: context.ids.need('change-request', step.key),
    };
    await context.client.call('updateChangeRequest', { path, body: { status } }, { signal: context.signal });
    return nothing;
  },
  find: null,
};

/** The restored page that a comment stands on. */
function targetPage(context: ApplyContext, resource: Resource): string | undefined {
  const target = resource.body['target'];
  const page = isRecord(target) && isRecord(target['page']) ? textAt(target['page'], 'id') : undefined;
  if (page === undefined) return undefined;
  const inRequest = context.ids.get('change-request-page', `${requestKey(resource)}/${page}`);
  return inRequest ?? context.ids.get('page', `${resource.params['spaceId'] ?? ''}/${page}`);
}

function newText(context: ApplyContext, resource: Resource): string {
  const text = mapLinks(creditedText(resource.body) ?? '', context.ids);
  return context.plan.keepMentions ? text : defuseMentions(text);
}

export const createComment: StepWork = {
  write: async (context, step) => {
    const resource = original(context, step);
    const page = targetPage(context, resource);
    const body = { body: { markdown: newText(context, resource) }, ...(page === undefined ? {} : { page }) };
    const path = containerPath(context, resource);
    const options = { signal: context.signal };
    const made =
      step.kind === 'comment'
        ? await context.client.call('createComment', { path, body }, options)
        : await context.client.call('createChangeRequestComment', { path, body }, options);
    return { newId: made.id };
  },
  find: async (context, step) => {
    const resource = original(context, step);
    const wanted = newText(context, resource);
    for await (const found of targetComments(context, step, resource)) {
      if (textOf(found) === wanted && !context.ids.isTaken(step.kind, found.id)) return { newId: found.id };
    }
    return null;
  },
};

function targetComments(context: ApplyContext, step: PlanStep, resource: Resource): AsyncIterable<Comment> {
  const input = { path: containerPath(context, resource), query: { format: 'markdown' as const } };
  const options = { signal: context.signal };
  return itemsOf(
    step.kind === 'comment'
      ? context.client.paginate('listComments', input, options)
      : context.client.paginate('listChangeRequestComments', input, options),
  );
}

/** Path of a restored comment; its key is that of the reply without the last part. */
function commentPath(
  context: ApplyContext,
  resource: Resource,
): { spaceId: string; changeRequestId: string; commentId: string } {
  const above = parentKind(resource.kind);
  const isReply = above !== null && isComment(above);
  const [kind, key] = isReply ? [above, keyAbove(resource.key)] : [resource.kind, resource.key];
  return { ...containerPath(context, resource), commentId: context.ids.need(kind, key) };
}

export const createReply: StepWork = {
  write: async (context, step) => {
    const resource = original(context, step);
    const body = { body: { markdown: newText(context, resource) } };
    const path = commentPath(context, resource);
    const options = { signal: context.signal };
    const made =
      step.kind === 'comment-reply'
        ? await context.client.call('createCommentReply', { path, body }, options)
        : await context.client.call('createChangeRequestCommentReply', { path, body }, options);
    return { newId: made.id };
  },
  find: async (context, step) => {
    const resource = original(context, step);
    const wanted = newText(context, resource);
    for await (const found of targetReplies(context, step, resource)) {
      if (textOf(found) === wanted && !context.ids.isTaken(step.kind, found.id)) return { newId: found.id };
    }
    return null;
  },
};

function targetReplies(context: ApplyContext, step: PlanStep, resource: Resource): AsyncIterable<CommentReply> {
  const input = { path: commentPath(context, resource), query: { format: 'markdown' as const } };
  const options = { signal: context.signal };
  return itemsOf(
    step.kind === 'comment-reply'
      ? context.client.paginate('listCommentReplies', input, options)
      : context.client.paginate('listChangeRequestCommentReplies', input, options),
  );
}

function emojiOf(resource: Resource): string[] {
  const { reactions } = resource.body;
  return (Array.isArray(reactions) ? reactions : []).filter(isRecord).map((reaction) => String(reaction['emoji']));
}

/** Reactions and resolution in one write; giving the same reaction twice does no harm. */
export const setCommentState: StepWork = {
  write: async (context, step) => {
    const resource = original(context, step);
    const emoji = emojiOf(resource);
    const reactions = emoji.length === 0 ? {} : { addedReactions: emoji };
    const path = commentPath(context, resource);
    const options = { signal: context.signal };
    if (step.kind === 'comment-reply') {
      const commentReplyId = context.ids.need('comment-reply', step.key);
      await context.client.call('updateCommentReply', { path: { ...path, commentReplyId }, body: reactions }, options);
      return nothing;
    }
    const body = { ...reactions, ...(resource.body['status'] === 'resolved' ? { resolved: true } : {}) };
    if (step.kind === 'comment') await context.client.call('updateComment', { path, body }, options);
    else await context.client.call('updateChangeRequestComment', { path, body }, options);
    return nothing;
  },
  find: null,
};
