// What people do to a platform between and during walks. Every edit moves something that the listings show.
import type { Random } from '../../src/base/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { addCollection, addSpace, edit, insert, pagesOf } from '../support/content.ts';

export interface Editor {
  readonly api: ApiClient['api'];
  readonly organization: string;
}

/** One random edit, in words; null when there was nothing to edit. What the platform refuses is no failure of the mirror. */
export async function editOnce(editor: Editor, random: Random): Promise<string | null> {
  const spaces = await spacesOf(editor);
  const space = pick(random, spaces);
  const act = pick(random, ACTS);
  if (space === undefined || act === undefined) return null;
  try {
    return await act(editor, space, random);
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message.slice(0, 100) : String(error)}`;
  }
}

export function pick<T>(random: Random, all: readonly T[]): T | undefined {
  return all[random.int(Math.max(1, all.length))];
}

async function spacesOf({ api, organization }: Editor): Promise<string[]> {
  const { items } = await api.listMembers({ path: { organizationId: organization }, query: { role: 'admin' } });
  const path = { organizationId: organization, userId: items[0]?.id ?? '' };
  return (await api.listMemberSpaces({ path, query: { limit: 1000 } })).items.map(({ space }) => space.id);
}

type Act = (editor: Editor, space: string, random: Random) => Promise<string | null>;

const ACTS: readonly Act[] = [
  async (editor, space, random) => {
    await edit(editor, space, insert(`Page ${random.id(6)}`, `Text ${random.id(40)}`));
    return 'insert a page';
  },
  async (editor, space, random) => {
    const page = pick(random, Object.values(await pagesOf(editor, space)));
    if (page === undefined) return null;
    await edit(editor, space, { type: 'update_page', page, document: { markdown: `# T\n\n${random.id(60)}` } });
    return 'edit a page';
  },
  async (editor, space, random) => {
    const page = pick(random, Object.values(await pagesOf(editor, space)));
    if (page === undefined) return null;
    await edit(editor, space, { type: 'delete_page', page });
    return 'delete a page';
  },
  async ({ api }, space, random) => {
    await api.createComment({ path: { spaceId: space }, body: { body: { markdown: `Note ${random.id(20)}` } } });
    return 'comment';
  },
  async ({ api }, space, random) => {
    const { items } = await api.listComments({ path: { spaceId: space } });
    const comment = pick(random, items);
    if (comment === undefined) return null;
    await api.deleteComment({ path: { spaceId: space, commentId: comment.id } });
    return 'delete a comment';
  },
  async ({ api }, space, random) => {
    const { id } = await api.createChangeRequest({ path: { spaceId: space }, body: { subject: random.id(10) } });
    await api.updateChangeRequest({ path: { spaceId: space, changeRequestId: id }, body: { status: 'open' } });
    return 'open a change request';
  },
  async (editor, _space, random) => {
    await addSpace(editor, `Space ${random.id(6)}`, await addCollection(editor, `Collection ${random.id(6)}`));
    return 'make a space in a collection';
  },
  async ({ api }, space) => {
    await api.deleteSpace({ path: { spaceId: space } });
    return 'delete a space';
  },
  async ({ api }, space, random) => {
    await api.updateSpace({ path: { spaceId: space }, body: { title: `Title ${random.id(6)}` } });
    return 'rename a space';
  },
];
