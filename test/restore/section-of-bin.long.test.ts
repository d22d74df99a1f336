// A section whose only space lay in the bin stood in the snapshot and showed nothing: a restore to that leaves it standing.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { bare } from '../support/in-place.ts';

it('restore/in-place leaves a section whose only space goes into the bin again: it took the place away by itself, the section went with that, verify failed and an undo could not bring it back', async () => {
  let site = { organizationId: '', siteId: '' };
  let binned = '';
  const { world, place } = await bare(async ({ api, organization: organizationId }) => {
    const spaces = [];
    for (const title of ['First', 'Second']) spaces.push(await addSpace({ api, organization: organizationId }, title));
    const [first = '', second = ''] = spaces;
    binned = second;
    const { id } = await api.createSite({ path: { organizationId }, body: { title: 'Docs' } });
    site = { organizationId, siteId: id };
    await api.createSiteSection({ path: site, body: { spaceId: first, title: 'One' } });
    await api.createSiteSection({ path: site, body: { spaceId: second, title: 'Two' } });
    await api.deleteSpace({ path: { spaceId: second } });
  });
  await using _world = world;
  const shown = async () => {
    const { items: sections } = await world.api.listSiteSections({ path: site });
    const { items: places } = await world.api.listSiteSpaces({ path: site });
    return sections.map(({ id, title }) => [
      title,
      ...places.filter((one) => one.section === id).map((one) => one.title),
    ]);
  };
  const [stood, choice] = [await shown(), { added: true }];
  expect(stood).toEqual([['One', 'First'], ['Two']]);
  await world.api.restoreSpace({ path: { spaceId: binned } });
  const before = await shown();
  const plan = await place.plan(choice);
  const { restore, failures } = await place.apply(plan);
  expect([failures, await shown()]).toEqual([[], stood]);
  expect(await place.verify(restore)).toMatchObject({ passed: true });
  expect((await place.plan(choice)).steps).toEqual([]);
  expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
  expect(await shown()).toEqual(before);
});
