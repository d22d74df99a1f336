// A page that its tree lists and that is not there, night after night.
import { expect, it } from 'vitest';
import { edit } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';

it('walker/content asks for a page that was not there the night before once a night, though its tree lists it: it asked twice', async () => {
  await using world = await furnishedWorld();
  const { guide: spaceId, pages } = world.made;
  const page = pages['Use'] ?? '';
  world.platform.faults = [{ operation: 'getPage', pathPattern: page, effect: { status: 404 } }];
  const night = async (): Promise<readonly [string, number]> => {
    world.platform.clearRequestLog();
    const { snapshot } = await world.sync();
    const own = `/v1/spaces/${spaceId}/content/page/${page}?format=markdown`;
    const asked = world.platform.requestLog.recent().filter(({ target }) => target === own);
    return [snapshot.state, asked.length];
  };
  expect(await night()).toEqual(['partial', 2]);
  expect(await night()).toEqual(['partial', 1]);
  expect(await night()).toEqual(['partial', 1]);
  world.platform.faults = [];
  expect(await night()).toEqual(['complete', 1]);
  // It goes while it is asked for, which the tree tells when it is read once more.
  await edit(world, spaceId, { type: 'update_page', page, document: { markdown: '# Use\n\nNew.' } });
  let isDeleted = false;
  const client = world.hooked(async (operation, input) => {
    if (isDeleted || operation !== 'getPage' || input?.path?.['pageId'] !== page) return;
    isDeleted = true;
    await edit(world, spaceId, { type: 'delete_page', page });
  });
  const { snapshot, kinds } = await world.sync({ client });
  expect([snapshot.state, kinds['page']?.gone]).toEqual(['complete', 1]);
});
