// A platform whose ids are known within one site or space alone: the API document calls them opaque, and names each below what holds it.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addSpace } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

/** Ids of a type of resource, counted from 1 in each thing that holds some. */
function localIds(type: string): (holder: string, value: unknown) => unknown {
  const known = new Map<string, string[]>();
  const within = (holder: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => within(holder, one));
    if (!isRecord(value)) return value;
    const all = Object.fromEntries(Object.entries(value).map(([field, one]) => [field, within(holder, one)]));
    if (all['object'] !== type || typeof all['id'] !== 'string') return all;
    const ids = known.get(holder) ?? [];
    known.set(holder, ids);
    if (!ids.includes(all['id'])) ids.push(all['id']);
    return { ...all, id: `${type}-${ids.indexOf(all['id']) + 1}` };
  };
  return within;
}

it('restore/verify tells places of two sites apart that have the same ids: a restore that was right did not pass', async () => {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  for (const title of ['One', 'Two']) {
    const { id: siteId } = await world.api.createSite({ path, body: { title: `Site ${title}`, spaces: [] } });
    for (const part of ['First', 'Second']) {
      const spaceId = await addSpace(world, `${part} of ${title}`);
      await world.api.createSiteSection({ path: { ...path, siteId }, body: { spaceId, title: part } });
    }
  }
  await using proxy = await rewriting(world);
  const within = localIds('site-space');
  proxy.rewrite = (asked, { status, body }) => {
    const site = /\/sites\/([^/]+)\//.exec(asked.path)?.[1];
    return site === undefined ? undefined : { status, body: within(site, body) };
  };
  expect((await world.sync({ client: proxy.client })).snapshot.state).toBe('complete');
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true, differences: [] });
});

it('restore/apply makes a comment once where its answer is lost and one of another space has the same id: it was made twice', async () => {
  await using world = await TestWorld.create();
  for (const title of ['One', 'Two', 'Three']) {
    const spaceId = await addSpace(world, title);
    await world.api.createComment({ path: { spaceId }, body: { body: { markdown: `Of ${title}.` } } });
  }
  await world.sync();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const within = localIds('comment');
  const lost = new Set<string>();
  proxy.rewrite = ({ method, path }, { status, body }) => {
    const space = /\/spaces\/([^/]+)\/comments$/.exec(path)?.[1];
    if (space === undefined) return undefined;
    if (method === 'POST' && !lost.has(space)) {
      lost.add(space);
      throw new Error('The answer is lost');
    }
    return { status, body: within(space, body) };
  };
  const { client } = proxy;
  const { failures } = await target.apply(await target.plan({ client, targetUrl: proxy.url }), { client });
  expect([failures, lost.size]).toEqual([[], 3]);
  for (const spaceId of lost)
    expect((await target.client.api.listComments({ path: { spaceId } })).items).toHaveLength(1);
});

it('restore undo names a comment that was made and whose answer was lost where one of another space has the same id: it stayed without a word', async () => {
  await using world = await TestWorld.create();
  const spaces: string[] = [];
  for (const title of ['One', 'Two']) spaces.push(await addSpace(world, title));
  const said: { spaceId: string; commentId: string }[] = [];
  for (const spaceId of spaces) {
    const { id } = await world.api.createComment({ path: { spaceId }, body: { body: { markdown: 'Well said.' } } });
    said.push({ spaceId, commentId: id });
  }
  await using proxy = await rewriting(world);
  const within = localIds('comment');
  const lost = { status: 500, body: { error: { code: 500, message: 'Down' } } };
  const posted: string[] = [];
  let isDown = false;
  proxy.rewrite = ({ method, path }, { status, body }) => {
    const space = /\/spaces\/([^/]+)\/comments$/.exec(path)?.[1];
    if (space === undefined) return undefined;
    if (method === 'POST') posted.push(space);
    // The second one is made, and nothing tells of it.
    isDown ||= posted.length === 2;
    const answer = { status, body: within(space, body) };
    return isDown && space === posted[1] ? lost : answer;
  };
  const place = inPlace(world, proxy.client);
  await world.sync({ client: proxy.client });
  for (const path of said) await world.api.deleteComment({ path });
  const plan = await place.plan();
  const { restore, failures } = await place.apply(plan);
  expect(failures.map(({ kind }) => kind)).toEqual(['comment']);
  proxy.rewrite = ({ path }, { status, body }) => {
    const space = /\/spaces\/([^/]+)\/comments$/.exec(path)?.[1];
    return space === undefined ? undefined : { status, body: within(space, body) };
  };
  const { steps } = await place.undo(restore, plan);
  const doubtful = steps.filter(({ action }) => action === 'unsupported').map(({ kind, key }) => [kind, key]);
  expect(doubtful).toEqual([['comment', `${posted[1] ?? ''}/comment-2`]]);
});
