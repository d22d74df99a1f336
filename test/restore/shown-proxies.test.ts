// A platform that shows where a site stands behind a proxy as a whole address: the operation that sets it takes a host with a path.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { createTarget, drill } from '../support/restore.ts';
import { changing, rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const withScheme = changing((one) =>
  one['object'] === 'site' && isRecord(one['proxy'])
    ? { ...one, proxy: { ...one['proxy'], target: `https://${String(one['proxy']['target'])}/` } }
    : one,
);

async function walkedThrough(world: TestWorld) {
  const path = { organizationId: world.organization };
  const { id: siteId } = await world.api.createSite({ path, body: { title: 'Docs' } });
  await world.api.updateSite({ path: { ...path, siteId }, body: { proxy: 'example.com/docs' } });
  const proxy = await rewriting(world);
  proxy.rewrite = withScheme;
  await world.sync({ client: proxy.client });
  return proxy;
}

it('restore/apply sets the proxy of a site that is shown as a whole address: it was not taken', async () => {
  await using world = await TestWorld.create();
  await using _proxy = await walkedThrough(world);
  await using target = await createTarget(world);
  await using there = await rewriting(world, target.platform);
  there.rewrite = withScheme;
  const { client } = there;
  const { restore, failures } = await target.apply(await target.plan({ client, targetUrl: there.url }), { client });
  expect(failures).toEqual([]);
  const { items } = await target.client.api.listSites({ path: { organizationId: target.organization } });
  expect(items.map(({ proxy }) => proxy?.target)).toEqual(['example.com/docs']);
  expect(await target.verify(restore, { client })).toMatchObject({ passed: true, differences: [] });
});

it('restore/drill passes of a site whose proxy is shown as a whole address: it was an exact difference each night', async () => {
  await using world = await TestWorld.create();
  await using _proxy = await walkedThrough(world);
  expect(await drill(world)).toMatchObject({ passed: true, differences: [] });
});
