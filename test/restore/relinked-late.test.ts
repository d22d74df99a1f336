// Links to what is made anew are turned once it is there, whichever run brings it; and what is archived is not archived again.
import { expect, it } from 'vitest';
import { mirroredAnew } from '../support/in-place.ts';

const anew = mirroredAnew();

const DAY_MS = 86_400_000;

it('turns links to a space whose content comes only with the resume', async () => {
  const { world, made, place } = await anew();
  await using _ = world;
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  world.clock.advance(8 * DAY_MS);
  const plan = await place.plan();
  world.platform.faults = [{ operation: 'importContent', effect: 'cut-before' }];
  const { restore, failed } = await place.apply(plan);
  expect(failed).toBe(1);
  world.platform.faults = [];
  expect(await place.resume(restore)).toMatchObject({ failed: 0, skipped: 0 });
  const [page] = (await world.api.listPages({ path: { spaceId: made.news } })).pages;
  const path = { spaceId: made.news, pageId: page?.id ?? '' };
  const { markdown } = await world.api.getPage({ path, query: { format: 'markdown' } });
  expect(markdown).not.toContain(made.guide);
  expect((await place.plan()).steps.filter(({ part }) => part !== 'none')).toEqual([]);
});

it('a second plan with --delete does not name what the first has archived', async () => {
  const { world, made, place } = await anew();
  await using _ = world;
  await world.api.createChangeRequest({ path: { spaceId: made.guide }, body: { subject: 'Mine' } });
  const plan = await place.plan({ added: true });
  expect((await place.apply(plan)).failures).toEqual([]);
  expect((await place.plan({ added: true })).steps).toEqual([]);
});
