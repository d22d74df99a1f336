// Comments and replies stand in the order in which they are written, and nothing can put one before another later.
import { expect, it } from 'vitest';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { bareAnew } from '../support/in-place.ts';
import type { TestWorld } from '../support/world.ts';

const SAID = ['One', 'Two', 'Three'];

async function said(world: TestWorld, space: string): Promise<string[][]> {
  const { items } = await world.api.listComments({ path: { spaceId: space } });
  const talks = items.map(async ({ id, body }) => {
    const { items: replies } = await world.api.listCommentReplies({ path: { spaceId: space, commentId: id } });
    return [body, ...replies.map((one) => one.body)].map(lastLine);
  });
  return Promise.all(talks);
}

function lastLine(body: unknown): string {
  const { markdown } = body as { markdown: string };
  return markdown.slice(markdown.lastIndexOf('\n') + 1);
}

/** A space with a talk on each of two pages, and comments of its own; all of it is deleted. */
const anew = bareAnew(async (world) => {
  const space = await addSpace(world, 'Talk');
  await edit(world, space, insert('Here', 'Text.'), insert('There', 'Text.'));
  const { Here: here = '', There: there = '' } = await pagesOf(world, space);
  const path = { spaceId: space };
  const ids: string[] = [];
  for (const markdown of SAID) {
    const { id } = await world.api.createComment({ path, body: { page: here, body: { markdown } } });
    ids.push(id);
    world.clock.advance(1000);
  }
  const { id } = await world.api.createComment({ path, body: { page: there, body: { markdown: 'Elsewhere' } } });
  for (const markdown of SAID) {
    const body = { body: { markdown } };
    await world.api.createCommentReply({ path: { spaceId: space, commentId: id }, body });
    world.clock.advance(1000);
  }
  return { space, ids: [...ids, id] };
});

async function emptied(): Promise<Awaited<ReturnType<typeof anew>> & { before: string[][] }> {
  const there = await anew();
  const before = await said(there.world, there.space);
  for (const commentId of there.ids) await there.world.api.deleteComment({ path: { spaceId: there.space, commentId } });
  return { ...there, before };
}

it.each([
  ['createComment', 'cut-before'],
  ['createCommentReply', 'cut-before'],
  ['createComment', { status: 502 }],
  ['createCommentReply', { status: 502 }],
] as const)(
  'restore resume brings what failed by %s (%o) before what was said after it: an answer came to stand below what answers it',
  async (operation, effect) => {
    const { world, place, space, before } = await emptied();
    await using _ = world;
    world.platform.faults = [{ operation, nth: 1, effect }];
    const { restore, ...first } = await place.apply(await place.plan());
    // What is said elsewhere waits for nothing.
    expect(first).toMatchObject({ failed: 1, skipped: 2 });
    world.platform.faults = [];
    expect(await place.resume(restore)).toMatchObject({ failed: 0, skipped: 0 });
    const after = await said(world, space);
    expect(after.filter(([one]) => one !== 'Elsewhere')).toEqual(before.filter(([one]) => one !== 'Elsewhere'));
    expect(after.find(([one]) => one === 'Elsewhere')).toEqual(['Elsewhere', ...SAID]);
  },
);

it('restore resume brings what was said after a reply that is refused again: nothing is lost for another', async () => {
  const { world, place, space } = await emptied();
  await using _ = world;
  world.platform.faults = [1, 2].map((nth) => ({ operation: 'createCommentReply', nth, effect: { status: 400 } }));
  const { restore } = await place.apply(await place.plan());
  expect(await place.resume(restore)).toMatchObject({ failed: 1, skipped: 0 });
  expect(await said(world, space)).toContainEqual(['Elsewhere', 'Two', 'Three']);
  world.platform.faults = [];
  expect(await place.resume(restore)).toMatchObject({ failed: 0, skipped: 0 });
});
