// Names and titles that a target does not take as they are: none, or too short ones.
import { expect, it } from 'vitest';
import type { Resource, RestoreStep } from '../../src/mirror/index.ts';
import { CHANGED_SINCE } from '../../src/restore/journal/later-restores.ts';
import { renamedSince } from '../../src/restore/journal/left-to-people.ts';
import { addSpace } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { changing, rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

async function withSection(title: string): Promise<TestWorld> {
  const world = await TestWorld.create();
  const { api, organization: organizationId } = world;
  const space = await addSpace(world, 'Guide');
  const { id: siteId } = await api.createSite({ path: { organizationId }, body: { title: 'Docs' } });
  await api.createSiteSection({ path: { organizationId, siteId }, body: { spaceId: space, title } });
  return world;
}

it('restore/plan sets no name where there was an empty one, which says that there was none: its step failed, and each resume anew', async () => {
  await using world = await withSection('Manual');
  await using proxy = await rewriting(world);
  proxy.rewrite = changing((one) => ({
    ...one,
    ...(one['object'] === 'organization' ? { hostname: '' } : {}),
    ...(one['object'] === 'site' ? { basename: '' } : {}),
  }));
  await world.sync({ client: proxy.client });
  await using target = await createTarget(world);
  const plan = await target.plan();
  expect(plan.steps.filter(({ part }) => part === 'name')).toEqual([]);
  const { restore, failures } = await target.apply(plan);
  expect([failures, (await target.verify(restore)).passed]).toEqual([[], true]);
});

it('restore/apply names a host name that the target does not take, and is done with it: a resume was advised that failed like it', async () => {
  await using world = await withSection('Manual');
  const path = { organizationId: world.organization };
  await world.api.updateOrganization({ path, body: { hostname: 'handbooks' } });
  await world.sync();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  proxy.send = (_asked, text) => (text.includes('"hostname"') ? '{"hostname":1}' : undefined);
  const { failed, lacking, failures } = await target.apply(await target.plan(), { client: proxy.client });
  expect([failed, lacking]).toEqual([0, 1]);
  expect(failures[0]?.error).toMatch(/^The host name handbooks was not taken: .* answered 4/);
});

async function syncedShort(world: TestWorld): Promise<void> {
  await using proxy = await rewriting(world);
  proxy.rewrite = changing((one) => (one['title'] === 'Deep' ? { ...one, title: 'D' } : one));
  await world.sync({ client: proxy.client });
}

it('restore/apply makes a section with a title that the target takes: one of a single sign was refused, and all that it showed was skipped', async () => {
  await using world = await withSection('Deep');
  await syncedShort(world);
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures.map(({ error }) => error)).toEqual([
    expect.stringMatching(/^title was not taken, and is "D…" instead: /),
  ]);
  expect((await target.verify(restore)).passed).toBe(true);
});

it('restore/apply sends no title once more with which a section was made: one that cannot be given to it again was said to be lacking', async () => {
  await using world = await withSection('Deep');
  await world.sync();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const sent: string[] = [];
  proxy.send = ({ method, path }, text) => {
    if (method === 'PATCH' && path.includes('/sections/')) sent.push(...Object.keys(JSON.parse(text) as object));
    return undefined;
  };
  const { failures } = await target.apply(await target.plan(), { client: proxy.client });
  expect([failures, sent.includes('path'), sent.includes('title')]).toEqual([[], true, false]);
});

it('restore/undo takes away what was made with another title than it had: it took that for a change by people, and left it', () => {
  const step: RestoreStep = {
    restore: 'r',
    step: 1,
    state: 'done',
    kind: 'site',
    key: 'o/s',
    new_id: 'n',
    detail: JSON.stringify({ called: 'L…' }),
    at: '',
  };
  const site = { kind: 'site', id: 'n', key: 'o/n', body: { title: 'L…' } } as unknown as Resource;
  const why = renamedSince({ steps: [step], originals: { one: () => ({ ...site, body: { title: 'L' } }) } });
  expect(why(site)).toBeNull();
  expect(why({ ...site, body: { title: 'Another' } })).toBe(CHANGED_SINCE);
});

it('restore/verify shows the space around a title that differs by that alone: a table had the same twice', async () => {
  await using world = await withSection('Manual');
  await using proxy = await rewriting(world);
  proxy.rewrite = changing((one) => (one['title'] === 'Docs' ? { ...one, title: 'Docs ' } : one));
  await world.sync({ client: proxy.client });
  await using target = await createTarget(world);
  const { restore } = await target.apply(await target.plan());
  await using trimming = await rewriting(world, target.platform);
  trimming.rewrite = changing((one) => (one['title'] === 'Docs ' ? { ...one, title: 'Docs' } : one));
  const { differences } = await target.verify(restore, { client: trimming.client });
  expect(differences).toMatchObject([{ kind: 'site', field: 'title', expected: '"Docs "', got: 'Docs' }]);
});
