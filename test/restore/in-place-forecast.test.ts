import { expect, it } from 'vitest';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { bare } from '../support/in-place.ts';

it('a plan in place says how many requests it takes: it sent a tenth more', async () => {
  const ids: string[] = [];
  const { world, place } = await bare(async (made) => {
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      const space = await addSpace(made, title);
      await edit(made, space, insert('Kept', 'as it is'), insert('Edited', 'before'), insert('Deleted', 'once'));
      ids.push(space);
    }
  });
  await using _ = world;
  const [deleted = '', ...edited] = ids;
  for (const space of edited) {
    const { Edited = '', Deleted = '' } = await pagesOf(world, space);
    await edit(world, space, { type: 'update_page', page: Edited, document: { markdown: 'after' } });
    await edit(world, space, { type: 'delete_page', page: Deleted });
  }
  await world.api.deleteSpace({ path: { spaceId: deleted } });
  const plan = await place.plan();
  const forecast = plan.steps.reduce((sum, { requests }) => sum + requests, 0);
  const { requests, failed } = await place.apply(plan);
  expect([failed, requests]).toEqual([0, forecast]);
});

it('a plan in place says that missing pages that link to each other are read once they are back: a request for each came on top', async () => {
  let space = '';
  const { world, place } = await bare(async (made) => {
    space = await addSpace(made, 'One');
    await edit(made, space, insert('First', 'once'), insert('Plain', 'alone'));
    const { First = '' } = await pagesOf(made, space);
    const link = (title: string) => insert(title, `[first](/pages/${First}) [there](plain.md)`);
    await edit(made, space, ...Array.from({ length: 12 }, (_, n) => link(`Linking ${n}`)));
  });
  await using _ = world;
  const pages = await pagesOf(world, space);
  await edit(world, space, ...Object.values(pages).map((page) => ({ type: 'delete_page' as const, page })));
  const plan = await place.plan();
  const forecast = plan.steps.reduce((sum, { requests }) => sum + requests, 0);
  const { requests, failed } = await place.apply(plan);
  expect([failed, requests]).toEqual([0, forecast]);
});
