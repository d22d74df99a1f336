// A platform whose import does not read all that the front matter of a page says: what is lost is set by edits.
import { expect, it } from 'vitest';
import { restoreOfPlan } from '../../src/mirror/index.ts';
import { planHash } from '../../src/restore/plan/plan-file.ts';
import { addRequest, addSpace, edit, flatten, insert, pagesOf, type Change } from '../support/content.ts';
import { worldAnew } from '../support/copied-world.ts';
import { cutOnce } from '../support/cutting.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import type { TestWorld } from '../support/world.ts';

const anew = worldAnew(async (one) => {
  const other = await addSpace(one, 'Other');
  const there = { ...insert('There', 'Text'), emoji: '1f4d8' };
  await edit(one, other, there);
  const space = await addSpace(one, 'Guide');
  const { There = '' } = await pagesOf(one, other);
  await edit(one, space, insert('Plain', 'Text'), insert('Shown', `See [there](/spaces/${other}/pages/${There}).`));
  const { Shown: page = '' } = await pagesOf(one, space);
  await edit(one, space, { type: 'update_page', page, emoji: '1f4da', noIndex: true, hidden: true });
  const proposed = { ...insert('Proposed', '# Proposed\n'), emoji: '1f517' };
  await addRequest(one, space, { subject: 'New', changes: [proposed] });
  await one.sync();
  return { space, page };
});

/** Takes emoji and flags away again from what an import has made, in one go with it. */
async function forgetful(world: TestWorld, platform = world.platform, client = world.client): Promise<Rewriting> {
  const proxy = await rewriting(world, platform);
  proxy.rewrite = async ({ method, path }, { status, body }) => {
    const [, spaceId = '', changeRequestId] =
      /^\/v1\/spaces\/([^/]+)(?:\/change-requests\/([^/]+))?\/content\/import$/.exec(path) ?? [];
    if (method !== 'POST' || spaceId === '' || status !== 201) return undefined;
    const at = changeRequestId === undefined ? null : { spaceId, changeRequestId };
    const read = () =>
      at === null ? client.api.getRevision({ path: { spaceId } }) : client.api.getChangeRequestRevision({ path: at });
    const changes = flatten((await read()).pages).map(({ id }): Change => ({
      type: 'update_page',
      page: id,
      emoji: '',
      noIndex: false,
    }));
    if (changes.length === 0) return undefined;
    if (at === null) await edit(client, spaceId, ...changes);
    else await client.api.changeContent({ path: at, body: { changes } });
    return { status, body: { ...(body as object), revision: (await read()).id } };
  };
  return proxy;
}

async function exactDifferences(target: Target, restore: string): Promise<unknown> {
  const { passed, differences } = await target.verify(restore);
  return [passed, differences.filter((one) => one.class === 'exact').map(({ kind, field }) => `${kind}.${field}`)];
}

it.each([false, true])(
  'restore/apply sets what an import did not take over of a page, in new spaces and change requests: no verify passed (for review: %s)',
  async (review) => {
    const { world } = await anew();
    await using _world = world;
    await using target = await createTarget(world);
    await using proxy = await forgetful(world, target.platform, target.client);
    const { restore, failures } = await target.apply(await target.plan({ review }), { client: proxy.client });
    expect(failures).toEqual([]);
    expect(await exactDifferences(target, restore)).toEqual([true, []]);
    if (review) return;
    const { pages } = await target.client.api.getRevision({ path: { spaceId: await target.spaceCalled('Guide') } });
    expect(pages.map(({ title, emoji = '', noIndex }) => [title, emoji, noIndex])).toEqual([
      ['Plain', '', false],
      ['Shown', '1f4da', true],
    ]);
  },
);

it('restore/resume sets what an import did not take over in spaces after the one at which it was cut off: they stayed without, and nothing said so', async () => {
  const { world } = await anew();
  await using _world = world;
  await using target = await createTarget(world);
  await using proxy = await forgetful(world, target.platform, target.client);
  const plan = await target.plan();
  const dying = cutOnce(proxy.client, { cut: 'killed', of: 'mergeChangeRequest', nth: 0, sent: true });
  await expect(target.apply(plan, { client: dying })).rejects.toThrow('killed');
  const { id: restore = '' } = restoreOfPlan(world.mirror, planHash(plan)) ?? {};
  const { failures } = await target.resume(restore, { client: proxy.client });
  expect(failures).toEqual([]);
  expect(await exactDifferences(target, restore)).toEqual([true, []]);
});

it.each([
  ['edits none', '/content 404', /titles and fields that an import does not keep/],
  ['lets nobody merge at once', '/merge 403', /^fields that an import does not keep wait in change request \d+ .* 403/],
])(
  'restore/apply says what of a page did not come back where the platform %s, and brings all else: what stands in the space was skipped',
  async (_, answered, why) => {
    const [operation = '', status] = answered.split(' ');
    const { world } = await anew();
    await using _world = world;
    await using target = await createTarget(world);
    await using proxy = await forgetful(world, target.platform, target.client);
    proxy.before = ({ method, path }) =>
      method === 'POST' && path.endsWith(operation) ? { status: Number(status), body: { error: {} } } : undefined;
    const result = await target.apply(await target.plan(), { client: proxy.client });
    expect([result.failed, result.skipped]).toEqual([0, 0]);
    expect(result.lacking).toBeGreaterThan(0);
    expect(result.failures.map(({ error }) => error)).toContainEqual(expect.stringMatching(why));
  },
);

it('restore/in-place sets what an import did not take over of a page that comes back', async () => {
  const { world, space: spaceId, page } = await anew();
  await using _world = world;
  await edit(world, spaceId, { type: 'delete_page', page });
  await using proxy = await forgetful(world);
  const place = inPlace(world, proxy.client);
  const { failures } = await place.apply(await place.plan());
  expect(failures).toEqual([]);
  const { pages } = await world.api.getRevision({ path: { spaceId } });
  const shown = pages.find(({ title }) => title === 'Shown');
  expect([shown?.emoji, shown?.noIndex, shown?.hidden]).toEqual(['1f4da', true, true]);
});

it('restore/apply counts a merge of such edits that met those of others: it was told, and not counted', async () => {
  const { world } = await anew();
  await using _world = world;
  await using target = await createTarget(world);
  await using proxy = await forgetful(world, target.platform, target.client);
  const { rewrite } = proxy;
  proxy.rewrite = (asked, { status, body }) =>
    asked.path.endsWith('/merge')
      ? { status, body: { ...(body as object), result: 'conflicts' } }
      : rewrite?.(asked, { status, body });
  const { mixed, failures } = await target.apply(await target.plan(), { client: proxy.client });
  const told = failures.filter(({ error }) => error.includes('both versions are in them'));
  expect(told.length).toBeGreaterThan(0);
  expect(mixed).toBe(told.length);
});
