// Acts that reach beyond one organization or one person: transfers, invites, what others say and react with, and what is proposed by
// import.
import { about, at, collectionsIn, spacesIn, wordOf, ROLES, type Act, type Acting } from './belonging.ts';
import { addRequest, flatten } from './content.ts';
import { serveBytes, zipOf } from '../platform/world.ts';

/** The other organization, which is there once something goes to it; and whether something goes there or comes from it. */
function between({ world, one, path }: Acting): { from: string; to: string } {
  const { platform } = world;
  const other =
    platform.organizations().find((id) => id !== path.organizationId) ??
    platform.createOrganization({ title: 'Elsewhere' });
  return one % 3 === 0 ? { from: other, to: path.organizationId } : { from: path.organizationId, to: other };
}

const within = (acting: Acting, organizationId: string): Acting => ({ ...acting, path: { organizationId } });

/** As somebody else, where anybody is known. */
async function asAnother(acting: Acting, act: (acting: Acting) => Promise<unknown>): Promise<void> {
  const { world, tokens, one } = acting;
  await about(tokens, one, async (token) => {
    await using client = world.clientOf({ url: world.platform.url, token });
    await act({ ...acting, api: client.api });
  });
}

const invitesOf = ({ world, path: { organizationId } }: Acting): string[] =>
  world.platform.invites().flatMap((key) => (key.startsWith(`${organizationId}/`) ? [key.split('/')[1] ?? ''] : []));

/** The forms in which a comment is sent. */
function saidBy({ one, other }: Acting): Parameters<Acting['api']['createComment']>[0]['body']['body'] {
  const text = `Said ${one}: ${wordOf({ word: other })}.`;
  if (other % 2 === 0) return { markdown: text };
  const leaf = { object: 'leaf' as const, text, marks: [] };
  return {
    document: {
      object: 'document',
      data: {},
      nodes: [{ object: 'block', type: 'paragraph', data: {}, nodes: [{ object: 'text', leaves: [leaf] }] }],
    },
  };
}

export const ACROSS_ACTS = {
  transferSpace: async (acting) => {
    const { from, to } = between(acting);
    await about(await spacesIn(within(acting, from)), acting.other, (spaceId) =>
      acting.api.transferSpace({ path: { spaceId }, body: { organization: to } }),
    );
  },
  transferCollection: async (acting) => {
    const { from, to } = between(acting);
    await about(await collectionsIn(within(acting, from)), acting.other, (collectionId) =>
      acting.api.transferCollection({ path: { collectionId }, body: { organization: to } }),
    );
  },
  moveElsewhere: async (acting) => {
    const there = within(acting, between({ ...acting, one: 0 }).from);
    const parent = at([null, ...(await collectionsIn(there))], acting.word) ?? null;
    await about(await spacesIn(there), acting.other, (spaceId) =>
      acting.api.moveSpace({ path: { spaceId }, body: { parent } }),
    );
  },
  setInvite: async (acting) =>
    about(invitesOf(acting), acting.one, (inviteId) =>
      acting.api.updateInvite({
        path: { ...acting.path, inviteId },
        body: { role: at(ROLES, acting.other) ?? 'read' },
      }),
    ),
  removeInvite: async (acting) =>
    about(invitesOf(acting), acting.one, (inviteId) => acting.api.deleteInvite({ path: { ...acting.path, inviteId } })),
  createSpec: async ({ api, path, world, one, other }) => {
    const text = JSON.stringify({ openapi: '3.1.0', info: { title: `Made ${one}`, version: '2' }, paths: {} });
    await api.createOpenApiSpec({ path, body: { slug: at(['made', 'petstore'], other) ?? 'made', source: { text } } });
    await world.platform.settle();
  },
  sayAs: async (acting) =>
    about(await spacesIn(acting), acting.word, (spaceId) =>
      asAnother(acting, async ({ api }) => {
        const { pages } = await api.getRevision({ path: { spaceId } });
        const page = at(flatten(pages), acting.other)?.id;
        const node = acting.one % 4 === 0 ? { node: 'heading-1' } : {};
        const body = { body: saidBy(acting), ...(page === undefined ? {} : { page, ...node }) };
        await api.createComment({ path: { spaceId }, body });
      }),
    ),
  answerAs: async (acting) =>
    about(await spacesIn(acting), acting.word, async (spaceId) => {
      const { items } = await acting.api.listComments({ path: { spaceId } });
      await about(items, acting.other, ({ id: commentId }) =>
        asAnother(acting, async ({ api }) => {
          const path = { spaceId, commentId };
          await api.createCommentReply({ path, body: { body: saidBy(acting) } });
        }),
      );
    }),
  proposeAs: async (acting) =>
    about(await spacesIn(acting), acting.word, (spaceId) =>
      asAnother(acting, ({ api, one }) => addRequest({ api }, spaceId, { subject: `By another ${one}` })),
    ),
  importIntoRequest: async (acting) =>
    about(await spacesIn(acting), acting.word, async (spaceId) => {
      const { id: changeRequestId } = await addRequest(acting.world, spaceId, { subject: `Import ${acting.one}` });
      await using source = await serveBytes(
        await zipOf({
          [`use${acting.one % 3 === 0 ? '' : acting.one % 3}.md`]: `# Use ${acting.other}\n\nSee [home](README.md).\n`,
          [`notes-${acting.other % 2}.txt`]: `Proposed ${acting.one}.\n`,
        }),
      );
      const path = { spaceId, changeRequestId };
      await acting.api.importChangeRequestContent({ path, body: { url: source.url, source: 'zip' } });
    }),
} satisfies Record<string, Act>;
