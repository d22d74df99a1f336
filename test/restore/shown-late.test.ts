// A platform of several machines: what was just imported is not shown at once.
import { expect, it } from 'vitest';
import { edit } from '../support/content.ts';
import { walkedWorld } from '../support/furnished.ts';
import { mirrored } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';

const IMPORT = '/import';

/** The first read of a content after an import shows what stood there before it. Returns how often that was so. */
function showLate(proxy: Rewriting): () => number {
  const before = new Map<string, object>();
  const late = new Set<string>();
  let times = 0;
  proxy.rewrite = ({ method, path }, { status, body }) => {
    if (method === 'POST' && path.endsWith(IMPORT)) late.add(path.slice(0, -IMPORT.length));
    if (method !== 'GET' || !path.endsWith('/content') || status !== 200) return undefined;
    const nothing = { ...(body as object), id: 'before', pages: [], files: [] };
    const earlier = before.get(path) ?? nothing;
    before.set(path, body as object);
    if (!late.delete(path)) return undefined;
    times++;
    return { status, body: earlier };
  };
  return () => times;
}

it('restore/apply waits until an import is shown: pages passed for lost, and it ended as done without their links', async () => {
  await using world = await walkedWorld();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const { client } = proxy;
  const plan = await target.plan({ client, targetUrl: proxy.url });
  const times = showLate(proxy);
  const { restore, failures } = await target.apply(plan, { client });
  expect([times() > 0, failures]).toEqual([true, []]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});

it('restore/apply in place waits until an import into its change request is shown: a page that came back passed for lost', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  await using proxy = await rewriting(world);
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
  const plan = await place.plan();
  const times = showLate(proxy);
  const { restore, failures } = await place.apply(plan, { client: proxy.client });
  expect([times(), failures]).toEqual([1, []]);
  expect(await place.verify(restore)).toMatchObject({ passed: true });
});
