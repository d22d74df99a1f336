// A space that a site showed before others comes back to its place, when the restore that took both away is taken back.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { bare } from '../support/in-place.ts';

it.each(['whole', 'killed at each write'] as const)(
  'restore/undo shows spaces where they stood on their site that the restore took away from there: they came behind all others, and nothing said so (%s)',
  async (how) => {
    let site = { organizationId: '', siteId: '' };
    const { world, place } = await bare(async (world) => {
      const path = { organizationId: world.organization };
      const { id } = await world.api.createSite({
        path,
        body: { title: 'Docs', spaces: [await addSpace(world, 'Beta')] },
      });
      site = { ...path, siteId: id };
    });
    await using _world = world;
    const shown = async () => (await world.api.listSiteSpaces({ path: site })).items.map(({ title }) => title);
    world.clock.advance(60_000);
    const beta = (await world.api.listSiteSpaces({ path: site })).items[0]?.id ?? '';
    for (const title of ['Added', 'More']) {
      const body = { spaceId: await addSpace(world, title) };
      const { id } = await world.api.createSiteSpace({ path: site, body });
      const position = { before: { type: 'site-space' as const, siteSpace: beta } };
      await world.api.moveSiteSpace({ path: { ...site, siteSpaceId: id }, body: { position } });
    }
    const before = await shown();
    const plan = await place.plan({ added: true });
    const { restore, failures } = await place.apply(plan);
    expect(failures).toEqual([]);
    expect(await shown()).toEqual(['Beta']);
    const undo = await place.undo(restore, plan);
    const end = how === 'whole' ? await place.apply(undo) : (await place.endure(undo, 'killed')).result;
    expect(end.failures).toEqual([]);
    expect(await shown()).toEqual(before);
    expect(before).toEqual(['Added', 'More', 'Beta']);
  },
);
