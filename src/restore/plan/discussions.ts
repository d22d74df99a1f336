// Change requests with their content, comments and replies.
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { changedPages } from '../change-request-pages.ts';
import { creditedText } from '../credit.ts';
import type { SpaceParts } from '../selection.ts';
import type { Planning, StepList } from './step-list.ts';

/** Change requests and comments, oldest first. */
export function addDiscussions({ list, reader, selection: { parts } }: Planning, space: Resource): void {
  const content = list.creatorOf('revision', space.key) ?? list.creatorOf('space', space.key);
  const requests = [...reader.resources('change-request', space.id)].toSorted(
    (a, b) => Number(a.body['number']) - Number(b.body['number']),
  );
  if (parts.changeRequests) for (const request of requests) addChangeRequest(list, reader, { request, content, parts });
  if (parts.comments)
    addComments(list, reader, { kind: 'comment', reply: 'comment-reply', within: space.id, needs: content });
}

function addChangeRequest(
  list: StepList,
  reader: SnapshotReader,
  { request, content, parts }: { request: Resource; content: number | undefined; parts: SpaceParts },
): void {
  const created = list.add({ part: 'create', of: request, needs: [content] });
  const revision = reader.one('change-request-revision', request.key);
  let last = created;
  if (revision && request.body['status'] !== 'merged') {
    const changed = [...changedPages(reader, request)].length;
    if (changed > 0)
      last = list.add({
        part: 'content',
        of: revision,
        note: `${changed} changed pages by import`,
        needs: [created],
        requests: 2,
      });
  }
  const comments = {
    kind: 'change-request-comment',
    reply: 'change-request-comment-reply',
    within: request.key,
    needs: last,
  } as const;
  if (parts.comments) addComments(list, reader, comments);
  // Last, since an archived request may take no more content.
  if (request.body['status'] !== 'draft') {
    const note =
      request.body['status'] === 'merged' ? 'archived; what it merged is in the space' : String(request.body['status']);
    list.add({ action: 'update', part: 'state', of: request, note, needs: [last] });
  }
}

interface Discussion {
  readonly kind: 'comment' | 'change-request-comment';
  readonly reply: 'comment-reply' | 'change-request-comment-reply';
  readonly within: string;
  readonly needs: number | undefined;
}

function addComments(list: StepList, reader: SnapshotReader, { kind, reply, within, needs }: Discussion): void {
  for (const comment of byTime(reader.resources(kind, within))) {
    if (creditedText(comment.body) === null) {
      list.addIdle('unsupported', comment, { note: 'its text was not sent as Markdown' });
      continue;
    }
    const created = list.add({ part: 'create', of: comment, note: 'with a credit line', needs: [needs] });
    for (const answer of byTime(reader.resources(reply, comment.key))) {
      const replied = list.add({ part: 'create', of: answer, note: 'with a credit line', needs: [created] });
      if (hasReactions(answer) && reply === 'comment-reply') {
        list.add({ action: 'update', part: 'state', of: answer, note: 'reactions', needs: [replied] });
      }
    }
    if (hasReactions(comment) || comment.body['status'] === 'resolved') {
      list.add({ action: 'update', part: 'state', of: comment, note: 'reactions and resolution', needs: [created] });
    }
  }
}

function byTime(resources: Iterable<Resource>): Resource[] {
  return [...resources].toSorted(
    (a, b) => String(a.body['postedAt']).localeCompare(String(b.body['postedAt'])) || a.key.localeCompare(b.key),
  );
}

function hasReactions(resource: Resource): boolean {
  const { reactions } = resource.body;
  return Array.isArray(reactions) && reactions.length > 0;
}
