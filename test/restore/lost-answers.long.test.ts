// Connections break while a restore goes on: what the platform has done by then is found at once, and the rest stands on it.
import { expect, it } from 'vitest';
import { walkedWholeWorld } from '../support/furnished.ts';
import { mirroredAnew } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';

const WRITES = [
  'createTeam',
  'createCustomField',
  'createCollection',
  'createSpace',
  'importContent',
  'updateSpace',
  'createChangeRequest',
  'importChangeRequestContent',
  'createSite',
  'createSiteSection',
  'updateSiteSpace',
  'createComment',
  'createCommentReply',
  'updateComment',
] as const;

const anew = mirroredAnew();

it('restore/apply goes on with what was made although its answer was lost: it failed, all that stands on it was skipped, and a resume had to find it', async () => {
  await using world = await walkedWholeWorld();
  await using undisturbed = await createTarget(world);
  await undisturbed.apply(await undisturbed.plan());
  await using target = await createTarget(world);
  const plan = await target.plan();

  target.platform.faults = [
    ...WRITES.map((operation) => ({ operation, nth: 1, effect: 'cut-after' as const })),
    { operation: 'createSpace', nth: 3, effect: 'truncate' },
  ];
  const { restore, failures, skipped } = await target.apply(plan);
  target.platform.faults = [];

  expect([failures, skipped]).toEqual([[], 0]);
  const { counts, passed } = await target.verifyCounting(restore);
  expect([counts, passed]).toEqual([await undisturbed.counts(), true]);
});

it('restore/apply goes on past a moment of trouble of the platform (503) in which it sets something: the step failed, though a read would have been asked again', async () => {
  await using world = (await anew()).world;
  await using target = await createTarget(world);
  await using client = world.clientOf(target.platform, { retries: 1 });
  const plan = await target.plan();
  const sets = ['updateSpace', 'updateCollection', 'updateChangeRequest', 'updateOrganization'] as const;
  target.platform.faults = sets.map((operation) => ({ operation, nth: 1, effect: { status: 503 } }));
  const { restore, failures, skipped } = await target.apply(plan, { client });
  target.platform.faults = [];
  expect([failures, skipped]).toEqual([[], 0]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});

/** What makes a collection, a space, a change request, and a comment. */
const MADE = [/\/collections$/, /\/spaces$/, /\/change-requests$/, /\/comments$/];

it('restore/apply goes on with what was made although something on the way answered 502 in place of the platform: it failed, and all that stands on it was skipped', async () => {
  await using world = (await anew()).world;
  await using undisturbed = await createTarget(world);
  await undisturbed.apply(await undisturbed.plan());
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const { client } = proxy;
  const open = new Set(MADE);
  proxy.rewrite = ({ method, path }) => {
    const made = [...open].find((one) => method === 'POST' && one.test(path));
    return made && open.delete(made)
      ? { status: 502, body: { error: { code: 502, message: 'Bad gateway' } } }
      : undefined;
  };
  const plan = await target.plan({ client, targetUrl: proxy.url });
  const { failures, skipped } = await target.apply(plan, { client });
  expect([open.size, failures, skipped]).toEqual([0, [], 0]);
  expect(await target.counts()).toEqual(await undisturbed.counts());
});

it('restore/apply does not take what somebody has made meanwhile for what it may have made: a resume makes it', async () => {
  await using world = (await anew()).world;
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const { api } = target.client;
  const path = { organizationId: target.organization };
  let theirs = '';
  // As if it had never arrived.
  proxy.rewrite = async ({ method, path: asked }) => {
    if (method !== 'POST' || !asked.endsWith('/collections') || theirs !== '') return undefined;
    const [made] = (await api.listCollections({ path })).items;
    await api.deleteCollection({ path: { collectionId: made?.id ?? '' } });
    theirs = (await api.createCollection({ path, body: { title: 'Of somebody' } })).id;
    return { status: 502, body: { error: { code: 502, message: 'Bad gateway' } } };
  };
  const { client } = proxy;
  const { restore, failed } = await target.apply(await target.plan({ client, targetUrl: proxy.url }), { client });
  expect(failed).toBe(1);
  expect(await target.resume(restore, { client })).toMatchObject({ failed: 0, skipped: 0 });
  const { items } = await api.listCollections({ path });
  expect(items.map(({ title }) => title).toSorted()).toEqual(['Guides', 'Manuals', 'Of somebody']);
  expect(items.filter(({ parent }) => parent === theirs)).toEqual([]);
});
