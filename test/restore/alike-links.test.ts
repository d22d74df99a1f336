// Links of one title to one address, in several places of a space.
import { expect, it } from 'vitest';
import { addSpace, importFiles } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { TestWorld } from '../support/world.ts';

const LINK = '* [Home](https://example.com/)\n';

it('a space comes back with links that are alike at the top and in a group, each in its place: verify took the one for the other, and the restore for failed', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Alike');
  const summary = `${LINK}* [In](in.md)\n\n## Group\n\n${LINK}* [Below](below.md)\n${LINK}`;
  await importFiles(world, space, { 'SUMMARY.md': summary, 'in.md': '# In\n', 'below.md': '# Below\n' });
  await world.sync();
  const place = inPlace(world);
  await world.api.deleteSpace({ path: { spaceId: space } });
  world.clock.advance(31 * 86_400_000);
  const plan = await place.plan();
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  const { passed, differences } = await place.verify(restore);
  expect(differences.filter(({ class: of }) => of === 'exact')).toEqual([]);
  expect(passed).toBe(true);
});
