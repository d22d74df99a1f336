// One setting that the target does not take keeps no other from coming back.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addSpace } from '../support/content.ts';
import { wholeWorld } from '../support/furnished.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it('restore/apply sets the other settings of an organization when one is refused: it kept its old title and role for a domain', async () => {
  await using world = await wholeWorld();
  await using proxy = await rewriting(world);
  proxy.rewrite = (_asked, { status, body }) => {
    const items = isRecord(body) && Array.isArray(body['items']) ? (body['items'] as unknown[]) : [];
    for (const one of items)
      if (isRecord(one) && one['object'] === 'organization') one['emailDomains'] = ['of the team alone'];
    return { status, body };
  };
  await world.sync({ client: proxy.client });
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures.map(({ kind, error }) => [kind, error])).toEqual([
    ['organization', expect.stringMatching(/^emailDomains was not taken: .*must be a domain name/)],
  ]);
  const path = { organizationId: target.organization };
  expect(await target.client.api.getOrganization({ path })).toMatchObject({
    title: 'Answers of the world',
    defaultRole: 'read',
    ai: true,
    inviteLinks: false,
  });
  const { differences } = await target.verify(restore);
  const exact = differences.filter((one) => one.class === 'exact' && one.kind === 'organization');
  expect(exact.map(({ field }) => field)).toEqual(['emailDomains']);
});

it('restore/apply lacks no setting that stands as it was, though the target takes it from nobody: each space and collection was told as done in part, and one with nothing else failed at each resume', async () => {
  await using world = await TestWorld.create();
  const { api, organization } = world;
  const { id } = await api.createCollection({ path: { organizationId: organization }, body: { title: 'Shelf' } });
  const spaces = [await addSpace(world, 'Open'), await addSpace(world, 'Closed')];
  await api.moveSpace({ path: { spaceId: spaces[0] ?? '' }, body: { parent: id } });
  await api.updateSpace({ path: { spaceId: spaces[1] ?? '' }, body: { defaultLevel: 'read', editMode: 'locked' } });
  await world.sync();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  proxy.send = ({ method }, text) =>
    method === 'PATCH' && text.includes('"defaultLevel"') ? '{"defaultLevel":1}' : undefined;
  const { failed, lacking, failures } = await target.apply(await target.plan(), { client: proxy.client });
  expect([failed, lacking]).toEqual([0, 1]);
  expect(failures.map(({ title, error }) => [title, error])).toEqual([
    ['Closed', expect.stringContaining('defaultLevel was not taken: ')],
  ]);
});

it('restore/apply done again sets what a target refused whole, though some of it stood: a space kept its default level where the token had lost its rights for a while', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Read');
  await world.api.updateSpace({ path: { spaceId: space }, body: { defaultLevel: 'read' } });
  await world.sync();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const refusal = { status: 403, body: { error: { code: 403, message: 'not allowed' } } };
  const isOfSettings = (method: string, path: string): boolean => method === 'PATCH' && path.includes('/spaces/');
  proxy.before = ({ method, path }) => (isOfSettings(method, path) ? refusal : undefined);
  const { restore, failed, lacking } = await target.apply(await target.plan(), { client: proxy.client });
  expect([failed, lacking]).toEqual([1, 0]);
  proxy.before = () => undefined;
  const sent: unknown[] = [];
  proxy.send = ({ method, path }, text) => {
    if (isOfSettings(method, path)) sent.push(JSON.parse(text));
    return undefined;
  };
  expect(await target.resume(restore, { client: proxy.client })).toMatchObject({ failed: 0, lacking: 0 });
  // The edit mode stood from the making of the space on.
  expect(sent).toEqual([{ editMode: 'live', defaultLevel: 'read' }]);
  expect((await target.verify(restore)).differences.filter((one) => one.class === 'exact')).toEqual([]);
});
