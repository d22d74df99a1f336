import { expect, it } from 'vitest';
import { testFolder } from '../support/cli.ts';
import { asOfSchema } from './older-database.ts';
import { createWorld, listAll } from './world.ts';

it('platform: lists every space of a database of before in which two of them stand at one place: one of the two was in no list, for good', async () => {
  using folder = testFolder();
  const database = folder.at('platform.sqlite');
  let collectionId = '';
  {
    await using world = await createWorld({ database });
    const path = { organizationId: world.organization };
    collectionId = (await world.call('createCollection', { path, body: { title: 'All' } })).body.id;
    for (const title of ['One', 'Two', 'Three', 'Four'])
      await world.call('createSpace', { path, body: { title, parent: collectionId } });
  }
  asOfSchema(database, 7, ({ driver }) => {
    driver.prepare(`update spaces set position = '00000NaN' where title in ('Three', 'Four')`).run();
    driver.prepare(`update spaces set position = '3Z' where title = 'One'`).run();
  });
  await using world = await createWorld({ database });
  const spaces = await listAll(world, 'listCollectionSpaces', { path: { collectionId }, query: { limit: 1 } });
  expect(spaces.map(({ title }) => title)).toEqual(['One', 'Two', 'Three', 'Four']);
});
