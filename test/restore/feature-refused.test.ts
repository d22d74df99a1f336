// In place: what the plan of an organization does not include is refused, and comes with a later restore once it is there.
import { expect, it } from 'vitest';
import { organizedWorld } from '../support/furnished.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

/** An organization of which three fields were changed since its walk. */
async function vandalized(): Promise<{ world: TestWorld; path: { organizationId: string } }> {
  const world = await TestWorld.create();
  const path = { organizationId: world.organization };
  await world.api.updateOrganization({ path, body: { title: 'Docs', ai: true, inviteLinks: true } });
  await world.sync();
  await world.api.updateOrganization({ path, body: { title: 'Vandals', ai: false, inviteLinks: false } });
  return { world, path };
}

it('restore/in-place: what the platform takes of one thing is set back where it refuses one field of it, which is named: all of them stayed as they were', async () => {
  const { world, path } = await vandalized();
  await using _world = world;
  await using proxy = await rewriting(world);
  proxy.send = ({ method }, text) => (method === 'PATCH' && text.includes('"ai"') ? '{"title":""}' : undefined);
  const place = inPlace(world, proxy.client);
  const plan = await place.plan();
  const { failures, lacking, restore } = await place.apply(plan);
  expect([lacking, failures]).toEqual([
    1,
    [expect.objectContaining({ kind: 'organization', error: expect.stringContaining('ai was not taken: ') as string })],
  ]);
  expect(await world.api.getOrganization({ path })).toMatchObject({ title: 'Docs', ai: false, inviteLinks: true });
  expect((await place.verify(restore)).differences.map(({ field }) => field)).toEqual(['ai']);
  proxy.send = () => undefined;
  const later = await place.plan();
  expect(later.steps.map(({ note }) => note)).toEqual(['ai']);
  expect((await place.apply(later)).failures).toEqual([]);
  await place.apply(await place.undo(restore, plan));
  expect(await world.api.getOrganization({ path })).toMatchObject({ title: 'Vandals', ai: true, inviteLinks: false });
});

it.each(['lost', 'killed'] as const)(
  'restore/in-place: a thing of which the platform refuses one field gets the others where each write is %s once: a resume took what was set for a change of others, and gave it up',
  async (cut) => {
    const { world, path } = await vandalized();
    await using _world = world;
    await using proxy = await rewriting(world);
    proxy.send = ({ method }, text) => (method === 'PATCH' && text.includes('"ai"') ? '{"title":""}' : undefined);
    const place = inPlace(world, proxy.client);
    const { result } = await place.endure(await place.plan(), cut);
    expect(result.failures.map(({ error }) => error)).toEqual([expect.stringContaining('ai was not taken: ')]);
    expect(await world.api.getOrganization({ path })).toMatchObject({ title: 'Docs', ai: false, inviteLinks: true });
  },
);

it('restore/in-place: a plan of groups that were refused counts the sections that came back without them: it said that none of them can come back', async () => {
  await using world = await organizedWorld();
  const path = { organizationId: world.organization, siteId: world.made.site };
  await world.sync();
  await world.api.deleteSite({ path });
  await world.sync();
  await using proxy = await rewriting(world);
  const place = inPlace(world, proxy.client);
  const refused = { status: 403, body: { error: { code: 403, message: 'a higher plan is needed for groups' } } };
  proxy.before = ({ method, path: asked }) =>
    method === 'POST' && asked.endsWith('/section-groups') ? refused : undefined;
  expect((await place.apply(await place.plan())).failed).toBe(1);
  proxy.before = () => undefined;
  const plan = await place.plan();
  const groups = plan.steps.filter(({ kind, action }) => kind === 'site-section-group' && action === 'create');
  expect(groups.map(({ note }) => note)).toEqual(['with 2 sections']);
  const { failures, restore } = await place.apply(plan);
  expect([failures, (await place.verify(restore)).passed]).toEqual([[], true]);
});

it('restore/plan: goes into an organization for which a higher plan is needed to list some things (402), and a resume brings these once they are there: no plan could be made', async () => {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  await world.api.createTranslationSettings({ path, body: { title: 'German' } });
  await world.api.createCustomField({ path, body: { name: 'owner', type: 'text' } });
  await world.sync();
  await using target = await createTarget(world);
  const operations = ['listTranslationSettings', 'listCustomFields', 'createTranslationSettings'] as const;
  target.platform.faults = operations.map((operation) => ({ operation, effect: { status: 402 } }));
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([
    expect.objectContaining({
      kind: 'translation-settings',
      hint: 'Take a plan that includes this for the organization, or leave this out of the scope.',
    }),
  ]);
  target.platform.faults = [];
  expect((await target.resume(restore)).failures).toEqual([]);
  expect((await target.verify(restore)).passed).toBe(true);
});

it('walker/walk: what a higher plan is needed for (402) can be accepted as what the token is refused: each snapshot was partial', async () => {
  await using world = await TestWorld.create();
  world.platform.faults = [{ operation: 'listSamlProviders', effect: { status: 402 } }];
  expect((await world.sync()).snapshot.state).toBe('partial');
  expect((await world.sync({ acceptRights: true })).snapshot.state).toBe('complete');
  expect((await world.sync()).snapshot.state).toBe('complete');
});
