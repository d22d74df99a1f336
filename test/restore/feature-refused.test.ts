// In place: what the plan of an organization does not include is refused, and comes with a later restore once it is there.
import { expect, it } from 'vitest';
import { organizedWorld } from '../support/furnished.ts';
import { inPlace } from '../support/in-place.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it('restore/in-place: what the platform takes of one thing is set back where it refuses one field of it, which is named: all of them stayed as they were', async () => {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  await world.api.updateOrganization({ path, body: { title: 'Docs', ai: true, inviteLinks: true } });
  await world.sync();
  await world.api.updateOrganization({ path, body: { title: 'Vandals', ai: false, inviteLinks: false } });
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
