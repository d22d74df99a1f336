// Comments of pages that are gone, which no restore in place takes along.
import { expect, it } from 'vitest';
import { planTree } from '../support/plan-tree.ts';
import { edit } from '../support/content.ts';
import { mirroredAnew } from '../support/in-place.ts';

const anew = mirroredAnew(async (world, { guide, pages }) => {
  const path = { spaceId: guide };
  const say = (markdown: string, page?: string): Promise<unknown> =>
    world.api.createComment({ path, body: { body: { markdown }, ...(page === undefined ? {} : { page }) } });
  await say('Is this still so?', pages['Linux']);
  await say('Of the space');
  await say('Of another page', pages['Install']);
});

it('restore/in-place names the comments that stay with a page that is gone: they were told nowhere, and missing at the page that came back', async () => {
  const { world, place, made } = await anew();
  await using _world = world;
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
  const plan = await place.plan();
  const named = planTree(plan).filter((line) => line.includes('comment'));
  expect(named).toEqual([expect.stringContaining('! comment Is this still so?  (stays with the page that is gone')]);
  expect((await place.apply(plan)).failures).toEqual([]);
  const listed = await world.api.listComments({ path: { spaceId: made.guide } });
  const shown = listed.items.map(({ body, target }) => [body, target?.page?.outdated]);
  expect(shown).toContainEqual([{ markdown: 'Is this still so?' }, true]);
  expect((await place.plan({ snapshot: plan.snapshot })).steps).toEqual([]);
});

it('restore/in-place names no comments where these are to stay away', async () => {
  const { world, place, made } = await anew();
  await using _world = world;
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
  const plan = await place.plan({ withoutComments: true });
  expect(plan.steps.map(({ kind, part }) => `${kind} ${part}`)).toEqual(['revision pages']);
});
