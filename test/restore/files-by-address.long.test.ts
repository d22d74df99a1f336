// How a text shows a file the API does not say: by its id, or by the address that its bytes are read from.
import { expect, it } from 'vitest';
import type { ApiClient } from '../../src/client/index.ts';
import { stepsOf } from '../../src/mirror/index.ts';
import { edit, pagesOf } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { shownByAddress } from '../support/shown-by-address.ts';

async function homeOf(api: ApiClient['api'], spaceId: string): Promise<string> {
  const { Home: pageId = '' } = await pagesOf({ api }, spaceId);
  const { markdown = '' } = await api.getPage({ path: { spaceId, pageId }, query: { format: 'markdown' } });
  return markdown;
}

it('restore/apply shows the file that came back: its pictures stayed those of the old platform, and were gone with it, while verify passed', async () => {
  await using world = await furnishedWorld();
  await using proxy = await rewriting(world);
  proxy.rewrite = shownByAddress({ signed: true });
  await world.sync({ client: proxy.client });
  await using target = await createTarget(world);
  await using through = await rewriting(world, target.platform);
  through.rewrite = shownByAddress({ signed: true });
  const { client } = through;
  const plan = await target.plan({ client, targetUrl: through.url });
  const { restore, failures } = await target.apply(plan, { client });
  expect(failures).toEqual([]);
  const { api } = target.client;
  const made = stepsOf(world.mirror, restore).find(({ kind, key }) => kind === 'space' && key === world.made.guide);
  const guide = made?.new_id ?? '';
  const { items: files } = await api.listFiles({ path: { spaceId: guide } });
  const logo = files.find(({ name }) => name === 'logo.png')?.id;
  expect(await homeOf(api, guide)).toContain(`![Logo](/files/${logo})`);
  expect(await target.verify(restore, { client })).toMatchObject({ passed: true });
});

it('restore/apply in place keeps showing the file that stands: the address of a moment was written into the page', async () => {
  await using world = await furnishedWorld();
  const { guide, pages } = world.made;
  const before = await homeOf(world.api, guide);
  await using proxy = await rewriting(world);
  proxy.rewrite = shownByAddress({ signed: true });
  const { client } = proxy;
  const { snapshot } = await world.sync({ client });
  await edit(world, guide, { type: 'update_page', page: pages['Home'] ?? '', document: { markdown: 'Bad.' } });
  const place = inPlace(world, client);
  const { restore, failures } = await place.apply(await place.plan({ snapshot: snapshot.id }), { client });
  expect(failures).toEqual([]);
  expect(await homeOf(world.api, guide)).toBe(before);
  expect(await place.verify(restore)).toMatchObject({ passed: true });
});

it('restore/apply in place turns links of a page and keeps the file that it shows: the address of a moment was written with them', async () => {
  await using world = await furnishedWorld();
  const { guide, pages } = world.made;
  const { Home: home = '', Use: use = '' } = pages;
  const [shown] = (await homeOf(world.api, guide)).match(/\/files\/[\w-]+/) ?? [''];
  await edit(world, guide, {
    type: 'update_page',
    page: home,
    document: { markdown: `See [it](/pages/${use}) and ![this](${shown}).` },
  });
  await using proxy = await rewriting(world);
  proxy.rewrite = shownByAddress({ signed: true });
  const { client } = proxy;
  const { snapshot } = await world.sync({ client });
  await edit(world, guide, { type: 'delete_page', page: use });
  const place = inPlace(world, client);
  const { failures } = await place.apply(await place.plan({ snapshot: snapshot.id }), { client });
  expect(failures).toEqual([]);
  const { Use: anew = '' } = await pagesOf(world, guide);
  expect(anew).not.toBe(use);
  expect(await homeOf(world.api, guide)).toContain(`See [it](/pages/${anew}) and ![this](${shown}).`);
});
