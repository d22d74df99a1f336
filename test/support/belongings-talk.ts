// Acts upon change requests and comments.
import type { Comment } from '../../src/contract/index.ts';
import { about, at, spacesIn, wordOf, type Act, type Acting } from './belonging.ts';
import { addRequest, flatten, insert, type Change } from './content.ts';

const STATUSES = ['draft', 'open', 'archived'] as const;
const REACTIONS = ['1f44d', '1f44e', '🙂'] as const;

interface Space {
  readonly spaceId: string;
}
type Request = Space & { readonly changeRequestId: string };

async function inSpace(acting: Acting, act: (path: Space) => unknown): Promise<void> {
  await about(await spacesIn(acting), acting.word, (spaceId) => act({ spaceId }));
}

function onRequest(acting: Acting, act: (path: Request) => unknown): Promise<void> {
  return inSpace(acting, async (path) => {
    const all: string[] = [];
    for (const status of [...STATUSES, 'merged'] as const) {
      const { items } = await acting.api.listChangeRequests({ path, query: { status, limit: 100 } });
      all.push(...items.map(({ id }) => id));
    }
    await about(all, acting.one, (changeRequestId) => act({ ...path, changeRequestId }));
  });
}

const bodyOf = ({ one, other }: Acting) => ({ body: { markdown: `Text ${one}: ${wordOf({ word: other })}.` } });
const isOwn = (path: Space | Request): path is Request => 'changeRequestId' in path;

async function pageIn({ api, other }: Acting, path: Space | Request): Promise<{ page?: string }> {
  const { pages } = isOwn(path) ? await api.getChangeRequestRevision({ path }) : await api.getRevision({ path });
  const page = other % 3 === 0 ? undefined : at(flatten(pages), other)?.id;
  return page === undefined ? {} : { page };
}

/** In a space or in a change request of it. */
function somewhere(acting: Acting, act: (path: Space | Request) => unknown): Promise<void> {
  return acting.one % 2 === 0 ? inSpace(acting, act) : onRequest(acting, act);
}

async function onComment(acting: Acting, act: (path: Space | Request, comment: Comment) => unknown): Promise<void> {
  await somewhere(acting, async (path) => {
    const { api } = acting;
    const { items } = isOwn(path) ? await api.listChangeRequestComments({ path }) : await api.listComments({ path });
    await about(items, acting.other, (comment) => act(path, comment));
  });
}

type CommentChange = Parameters<Acting['api']['updateComment']>[0]['body'];

function change({ api }: Acting, at: { path: Space | Request; commentId: string }, body: CommentChange) {
  const { path, commentId } = at;
  return isOwn(path)
    ? api.updateChangeRequestComment({ path: { ...path, commentId }, body })
    : api.updateComment({ path: { ...path, commentId }, body });
}

async function proposed(acting: Acting, path: Space): Promise<Change[]> {
  const { pages } = await acting.api.getRevision({ path });
  const page = at(flatten(pages), acting.other);
  const added = insert(`New ${acting.one}`, `Text ${acting.other}.`);
  if (page === undefined || acting.one % 4 === 0) return [added];
  const fields = [
    { title: wordOf({ word: acting.other }) },
    { emoji: '1f600' },
    { hidden: true },
    { into: null, at: 0 },
  ];
  return [added, { type: 'update_page', page: page.id, ...at(fields, acting.one) }];
}

export const TALK_ACTS = {
  addRequest: (acting) =>
    inSpace(acting, async (path) =>
      addRequest(acting.world, path.spaceId, {
        subject: wordOf({ word: acting.one }),
        ...(acting.other % 5 === 0 ? {} : { changes: await proposed(acting, path) }),
      }),
    ),
  setRequest: (acting) =>
    onRequest(acting, (path) =>
      acting.api.updateChangeRequest({
        path,
        body:
          acting.other % 4 === 0
            ? { subject: wordOf({ word: acting.other }) }
            : { status: at(STATUSES, acting.other) ?? 'open' },
      }),
    ),
  mergeRequest: (acting) => onRequest(acting, (path) => acting.api.mergeChangeRequest({ path })),
  pullRequest: (acting) => onRequest(acting, (path) => acting.api.pullIntoChangeRequest({ path })),
  addComment: (acting) =>
    somewhere(acting, async (path) => {
      const body = { ...bodyOf(acting), ...(await pageIn(acting, path)) };
      return isOwn(path)
        ? acting.api.createChangeRequestComment({ path, body })
        : acting.api.createComment({ path, body });
    }),
  addReply: (acting) =>
    onComment(acting, (path, { id: commentId }) =>
      isOwn(path)
        ? acting.api.createChangeRequestCommentReply({ path: { ...path, commentId }, body: bodyOf(acting) })
        : acting.api.createCommentReply({ path: { ...path, commentId }, body: bodyOf(acting) }),
    ),
  setComment: (acting) =>
    onComment(acting, (path, { id: commentId }) => {
      const emoji = at(REACTIONS, acting.word) ?? '';
      const choices = [
        { resolved: acting.other % 2 === 0 },
        bodyOf(acting),
        { addedReactions: [emoji] },
        { removedReactions: [emoji] },
      ];
      return change(acting, { path, commentId }, at(choices, acting.word + acting.other) ?? {});
    }),
  setReply: (acting) =>
    inSpace(acting, async (path) => {
      const { items } = await acting.api.listComments({ path });
      await about(items, acting.other, async ({ id: commentId }) => {
        const own = { ...path, commentId };
        const replies = await acting.api.listCommentReplies({ path: own });
        await about(replies.items, acting.one, ({ id: commentReplyId }) =>
          acting.api.updateCommentReply({
            path: { ...own, commentReplyId },
            body: acting.one % 2 === 0 ? bodyOf(acting) : { addedReactions: ['1f44d'] },
          }),
        );
      });
    }),
  removeComment: (acting) =>
    onComment(acting, (path, { id: commentId }) =>
      isOwn(path)
        ? acting.api.deleteChangeRequestComment({ path: { ...path, commentId } })
        : acting.api.deleteComment({ path: { ...path, commentId } }),
    ),
} satisfies Record<string, Act>;
