// In place: what comes back while the collection that held it stands, and stays, in another organization.
import { expect, it } from 'vitest';
import type { Plan } from '../../src/restore/index.ts';
import { planTree } from '../support/plan-tree.ts';
import { addSpace } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

interface Held extends Mirrored {
  readonly other: string;
  readonly own: string;
  readonly theirs: string;
}

/** Two organizations, of which the other has a space that will stand in a collection of the first. */
const anew = mirroredAnew(async (world) => {
  const other = world.platform.createOrganization({ title: 'Other' });
  const theirs = await addSpace({ api: world.api, organization: other }, 'Theirs');
  return { other, own: world.organization, theirs };
});

/** The collection that holds Guide is transferred without it and holds something of the other organization; Guide is deleted. */
async function held(): Promise<Held> {
  const all = await anew();
  const { api, clock } = all.world;
  clock.advance(60_000);
  await api.moveSpace({ path: { spaceId: all.made.guide }, body: { parent: null } });
  await api.transferCollection({ path: { collectionId: all.made.nested }, body: { organization: all.other } });
  await api.moveSpace({ path: { spaceId: all.theirs }, body: { parent: all.made.nested } });
  await api.deleteSpace({ path: { spaceId: all.made.guide } });
  return all;
}

const OUTSIDE =
  'comes back outside of all collections: the collection it stood in, Guides, stands in another organization by now';

async function applied({ place }: Mirrored, plan: Plan): Promise<string> {
  expect(planTree(plan)).toContainEqual(expect.stringContaining(OUTSIDE));
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  const { passed, differences, unread } = await place.verify(restore);
  expect([passed, unread]).toEqual([true, []]);
  expect(differences).toContainEqual(expect.objectContaining({ kind: 'space', field: 'parent' }));
  return restore;
}

it('restore/in-place undeletes a space whose collection stays in another organization, and says that it comes back outside of it: that was promised, and failed', async () => {
  const all = await held();
  await using world = all.world;
  const { place, made, own } = all;
  const plan = await place.plan({ scope: `organization:${own}` });
  const restore = await applied(all, plan);
  const guide = await world.api.getSpace({ path: { spaceId: made.guide } });
  expect([guide.organization, guide.parent]).toEqual([own, undefined]);
  const back = await place.undo(restore, plan);
  const { failures } = await place.apply(back);
  expect(failures).toEqual([]);
  expect(await world.api.getSpace({ path: { spaceId: made.guide } })).toHaveProperty('deletedAt');
});

it('restore/in-place makes a space anew whose collection stays in another organization, outside of it: that was promised, and failed', async () => {
  const all = await held();
  await using world = all.world;
  const { place, own } = all;
  world.clock.advance(8 * 86_400_000);
  const plan = await place.plan({ scope: `organization:${own}` });
  await applied(all, plan);
  const { items } = await world.api.listMemberSpaces({ path: { organizationId: own, userId: world.platform.owner } });
  const guides = items.map(({ space }) => space).filter(({ title }) => title === 'Guide');
  expect(guides.map(({ parent }) => parent)).toEqual([undefined]);
});
