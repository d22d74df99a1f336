// A platform of several machines: what was just written is shown some seconds later.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { listRestores } from '../../src/mirror/index.ts';
import type { Plan } from '../../src/restore/index.ts';
import { addCollection, addSpace, edit, importFiles, pagesOf } from '../support/content.ts';
import { lagging, type Lagging } from '../support/lagging.ts';
import { cutOnce } from '../support/cutting.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import { worldAnew } from '../support/copied-world.ts';
import { rewriting } from '../support/rewriting.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

/** A revision that stood in each space before. */
const FIRST = 'FirstRevision';

const PAGES = {
  'SUMMARY.md': '* [Home](README.md)\n* [Use](use.md)\n',
  'README.md': '# Home\n\nBegin with [its use](use.md).\n',
  'use.md': '# Use\n\nRun it.\n',
};

/** A collection with a space, in which there are pages and a comment. */
async function smallWorld(world: TestWorld): Promise<string> {
  const space = await addSpace(world, 'Guide', await addCollection(world, 'All'));
  await importFiles(world, space, PAGES);
  await world.api.createComment({ path: { spaceId: space }, body: { body: { markdown: 'Good.' } } });
  return space;
}

interface Emptied extends AsyncDisposable {
  readonly world: TestWorld;
  readonly proxy: Lagging;
  readonly target: Target;
  readonly plan: Plan;
}

const anew = worldAnew(async (world) => {
  await smallWorld(world);
  await world.sync();
});

/** That world mirrored, and a plan to bring it into an organization of a platform that lags. */
async function emptied(): Promise<Emptied> {
  const { world } = await anew();
  const database = join(world.folder(), 'platform.db');
  const target = await createTarget(world, { database });
  const proxy = await lagging(world, { platform: target.platform, database });
  const plan = await target.plan({ client: proxy.client, targetUrl: proxy.url });
  const dispose = async (): Promise<void> => {
    for (const one of [proxy, target, world]) await one[Symbol.asyncDispose]();
  };
  return { world, proxy, target, plan, [Symbol.asyncDispose]: dispose };
}

it('restore/apply on a platform that shows writes seconds later brings everything: its spaces were "deleted while the restore ran"', async () => {
  await using there = await emptied();
  const { target, proxy, plan } = there;
  const { restore, failures } = await target.apply(plan, { client: proxy.client });
  expect(failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});

it('restore/verify right after it on a platform that shows writes seconds later finds all there: comments that were written last passed for missing', async () => {
  await using there = await emptied();
  const { target, proxy, plan } = there;
  const { restore } = await target.apply(plan, { client: proxy.client });
  proxy.lagMs = 5900;
  // As another process, which has written nothing itself.
  await using client = there.world.clientOf({ url: proxy.url, token: target.platform.token });
  const { passed, differences, requests } = await target.verify(restore, { client });
  // Those of both readings.
  expect([passed, differences, requests]).toEqual([true, [], client.meter.requests]);
});

it('restore/apply on a platform that takes writes to what it has just made seconds later brings everything: it was said to have no import', async () => {
  const { world } = await anew();
  await using _world = world;
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const clock = world.sleepless;
  const made = new Map<string, number>();
  proxy.rewrite = ({ method }, { status, body }) => {
    if (method === 'POST' && isRecord(body) && typeof body['id'] === 'string') made.set(body['id'], clock.now());
    return { status, body };
  };
  proxy.before = ({ path }) => {
    const isNew = [...made].some(([id, at]) => path.includes(`/${id}`) && clock.now() - at < 1500);
    return isNew ? { status: 404, body: { error: { code: 404, message: 'Not found' } } } : undefined;
  };
  // The headers about the rate do not come through.
  await using client = world.clientOf({ url: proxy.url, token: target.platform.token }, { requestsPerSecond: 10_000 });
  const plan = await target.plan({ client, targetUrl: proxy.url });
  const { restore, failures } = await target.apply(plan, { client });
  expect(failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});

interface Ruined extends AsyncDisposable {
  readonly world: TestWorld;
  readonly proxy: Lagging;
  readonly place: InPlace;
  readonly space: string;
}

/** That world a minute after one of its pages was deleted and the other one changed, before a platform that lags. */
async function ruined(): Promise<Ruined> {
  const folder = mkdtempSync(join(tmpdir(), 'docmirror-lagging-'));
  const database = join(folder, 'platform.db');
  const world = await TestWorld.create({ database });
  const space = await smallWorld(world);
  await world.sync();
  const pages = await pagesOf(world, space);
  await edit(world, space, { type: 'delete_page', page: pages['Use'] ?? '' });
  await edit(world, space, { type: 'update_page', page: pages['Home'] ?? '', title: 'House' });
  world.clock.advance(60_000);
  const proxy = await lagging(world, { platform: world.platform, database });
  const dispose = async (): Promise<void> => {
    await proxy[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  };
  return { world, proxy, place: inPlace(world, proxy.client), space, [Symbol.asyncDispose]: dispose };
}

it('restore/apply in place knows the pages that came back although the merge is shown seconds later: verify missed them for good', async () => {
  await using there = await ruined();
  const { world, place } = there;
  const { restore, failures } = await place.apply(await place.plan());
  expect(failures).toEqual([]);
  world.clock.advance(60_000);
  expect(await place.verify(restore)).toMatchObject({ passed: true });
});

it.each(['createCollection', 'createSpace', 'importContent', 'createComment'] as const)(
  'restore/resume right after a kill at %s makes nothing twice although that is shown seconds later, and goes on with what is not shown',
  async (of) => {
    await using there = await emptied();
    const { world, target, proxy, plan } = there;
    const client = cutOnce(proxy.client, { cut: 'killed', of, nth: 0, sent: true });
    await expect(target.apply(plan, { client })).rejects.toThrow('killed');
    const [restore] = listRestores(world.mirror);
    await using another = world.clientOf({ url: proxy.url, token: target.platform.token });
    const { failures } = await target.resume(restore?.id ?? '', { client: another });
    expect(failures).toEqual([]);
    expect(await target.counts()).toMatchObject({ collection: 1, space: 1, page: 2, comment: 1 });
  },
);

it('restore/resume right after a kill goes on with the change request that is shown seconds later: it began a second one', async () => {
  await using there = await ruined();
  const { world, place, proxy, space } = there;
  const client = cutOnce(proxy.client, { cut: 'killed', of: 'createChangeRequest', nth: 0, sent: true });
  await expect(place.apply(await place.plan(), { client })).rejects.toThrow('killed');
  const [restore] = listRestores(world.mirror);
  await using another = world.clientOf({ url: proxy.url, token: world.platform.token });
  expect((await place.resume(restore?.id ?? '', { client: another })).failures).toEqual([]);
  const { items } = await world.api.listChangeRequests({ path: { spaceId: space }, query: { status: 'draft' } });
  expect(items).toEqual([]);
});

it('restore/apply on a platform that imports when it has answered, and names the revision from before, finds all pages: none was found', async () => {
  const { world } = await anew();
  await using _world = world;
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const begun = new Map<string, object>();
  let left = 3;
  proxy.rewrite = ({ method, path }, { status, body }) => {
    const content = /^(.*\/spaces\/[^/]+\/content)(\/import)?$/.exec(path);
    if (content?.[1] === undefined || !isRecord(body)) return undefined;
    if (content[2] !== undefined) return { status, body: { ...body, revision: FIRST } };
    if (method !== 'GET') return undefined;
    const before = begun.get(content[1]) ?? { ...body, id: FIRST, pages: [], files: [] };
    begun.set(content[1], before);
    left -= 1;
    return left < 0 ? undefined : { status, body: before };
  };
  const { failures, lacking, restore } = await target.apply(await target.plan(), { client: proxy.client });
  expect([failures, lacking]).toEqual([[], 0]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});
