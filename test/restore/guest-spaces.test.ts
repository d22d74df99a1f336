// Spaces of an organization that the token is not shown, such as one that it is a guest in.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { flatten } from '../support/content.ts';
import { createTarget, drill } from '../support/restore.ts';
import { asGuest, twoOrganizations, type Twin } from '../support/two-organizations.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let first: Twin;
let second: Twin;

beforeEach(async () => {
  ({ world, first, second } = await twoOrganizations());
  await asGuest(world, { first, second });
});

afterEach(() => world[Symbol.asyncDispose]());

async function mirrored(spaces: readonly string[]): Promise<void> {
  const { snapshot } = await world.sync({
    scope: { organizations: null, onlySpaces: null, extraSpaces: [...spaces], invites: [] },
  });
  expect(snapshot.state).toBe('complete');
}

it('a drill brings them back too: it passed without, and nobody knew that no plan brought them', async () => {
  await mirrored([second.space, second.linking]);
  const { passed, kinds, differences } = await drill(world);
  expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
  expect(kinds.space).toMatchObject({ resources: 4, missing: 0 });
  expect(kinds.page).toMatchObject({ resources: 4, missing: 0 });
});

it('a plan of their organization brings them back into another one, with what they say', async () => {
  await mirrored([second.space]);
  await using target = await createTarget(world);
  const plan = await target.plan({ scope: `organization:${second.organization}` });
  const { restore, failures } = await target.apply(plan);
  expect(failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
  const path = { spaceId: await target.spaceCalled('Same') };
  const { pages } = await target.client.api.getRevision({ path });
  expect(flatten(pages).map(({ title }) => title)).toEqual(['Ant']);
});

it.each(['space', 'page'] as const)(
  'so does a plan of one %s: it was refused, as the snapshot has no such organization',
  async (kind) => {
    await mirrored([second.space]);
    await using target = await createTarget(world);
    const scope = kind === 'space' ? `space:${second.space}` : `page:${second.ant}`;
    const { restore, failures } = await target.apply(await target.plan({ scope }));
    expect(failures).toEqual([]);
    expect(await target.verify(restore)).toMatchObject({ passed: true });
  },
);

it('a plan of a snapshot with two organizations names both', async () => {
  await mirrored([second.space]);
  await using target = await createTarget(world);
  await expect(target.plan({ scope: 'kind:page' })).rejects.toThrow(
    `Snapshot 1 is of 2 organizations: ${first.organization} (My organization), ${second.organization} (of which it has spaces alone)`,
  );
});
