// Of a platform of a newer version than the API document, as the public one is today: what it tells of no more, and what it does not offer.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addCollection, addSpace, edit } from '../support/content.ts';
import { wholeWorld } from '../support/furnished.ts';
import { mirrored } from '../support/in-place.ts';
import { invite } from '../support/organization.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { changing, rewriting, type Rewriting } from '../support/rewriting.ts';
import type { TestWorld } from '../support/world.ts';

const NOT_FOUND = { status: 404, body: { error: { code: 404, message: 'Not found' } } };

let world: TestWorld;
let proxy: Rewriting;
let target: Target;

beforeEach(async () => {
  world = await wholeWorld();
  proxy = await rewriting(world);
  target = await createTarget(world);
  invite(target, ['robin', 'kim', 'noor']);
});

afterEach(async () => {
  await target[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const without =
  (kind: string, ...fields: readonly string[]) =>
  (one: Record<string, unknown>): Record<string, unknown> =>
    one['object'] === kind ? Object.fromEntries(Object.entries(one).filter(([name]) => !fields.includes(name))) : one;

describe('restore of a newer platform', () => {
  it('takes what every target tells, and the source does not, for no difference, and opens no site of which that does not say who may see it: no drill passed, and a target showed it to everybody', async () => {
    const untold = [without('space', 'emoji'), without('site', 'visibility'), without('collection', 'defaultLevel')];
    proxy.rewrite = changing((one) => untold.reduce((left, leave) => leave(left), one));
    await world.sync({ client: proxy.client });
    const { restore, failures } = await target.apply(await target.plan());
    expect(failures).toEqual([]);
    await target.platform.settle();
    const { passed, differences } = await target.verify(restore);
    expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
    const { items } = await target.client.api.listSites({ path: { organizationId: target.organization } });
    expect(items.length).toBeGreaterThan(0);
    expect(items.filter(({ visibility }) => visibility !== 'share-link')).toEqual([]);
  });

  it('does not pass where a space or collection that nobody saw by default is open to members: null was taken for nothing said', async () => {
    const closed = await addCollection(world, 'Closed');
    await world.api.updateCollection({ path: { collectionId: closed }, body: { defaultLevel: null } });
    const hidden = await addSpace(world, 'Hidden', closed);
    await world.api.updateSpace({ path: { spaceId: hidden }, body: { defaultLevel: null } });
    await world.sync();
    const { restore } = await target.apply(await target.plan());
    await target.platform.settle();
    expect(await target.verify(restore)).toMatchObject({ passed: true });
    const path = { organizationId: target.organization };
    const { items } = await target.client.api.listCollections({ path });
    const collectionId = items.find(({ title }) => title === 'Closed')?.id ?? '';
    const { items: inside } = await target.client.api.listCollectionSpaces({ path: { collectionId } });
    await target.client.api.updateCollection({ path: { collectionId }, body: { defaultLevel: 'edit' } });
    for (const { id } of inside)
      await target.client.api.updateSpace({ path: { spaceId: id }, body: { defaultLevel: 'edit' } });
    const { passed, differences } = await target.verify(restore);
    const found = differences.map(({ kind, field, class: is }) => [kind, field, is]);
    expect([passed, found]).toEqual([
      false,
      expect.arrayContaining([
        ['collection', 'defaultLevel', 'exact'],
        ['space', 'defaultLevel', 'exact'],
      ]),
    ]);
  });

  it('says that translations of a space into a language cannot come back: each was sent with its id for a title, and failed at every resume', async () => {
    proxy.rewrite = changing((one) => {
      if (one['object'] !== 'translation-settings') return one;
      const { title, languages, ...rest } = one;
      expect([title, languages]).not.toContain(undefined);
      return { ...rest, object: 'translation', source: { space: 'any', language: 'en' }, language: 'fr' };
    });
    await world.sync({ client: proxy.client });
    const plan = await target.plan();
    const steps = plan.steps.filter(({ kind }) => kind === 'translation-settings');
    expect(steps).toMatchObject([{ action: 'unsupported', note: /by their title alone/ }]);
    const { restore, failures } = await target.apply(plan);
    expect(failures).toEqual([]);
    await target.platform.settle();
    expect(await target.verify(restore)).toMatchObject({ passed: true, notRestored: { 'translation-settings': 1 } });
  });

  it('misses nothing of kinds that neither side has: verify advised, each time, to verify again once the target can be read', async () => {
    const lacking = ['listCustomFields', 'getCustomFieldValues', 'listSpaceLinks'] as const;
    const notOffered = lacking.map((operation) => ({ operation, effect: NOT_FOUND }));
    world.platform.faults = notOffered;
    await world.sync({ acceptRights: true });
    target.platform.faults = notOffered;
    const { restore, failures } = await target.apply(await target.plan());
    expect(failures).toEqual([]);
    target.platform.faults = [];
    await target.platform.settle();
    target.platform.faults = notOffered;
    expect(await target.verify(restore)).toMatchObject({ passed: true, unread: [] });
    target.platform.faults = [{ operation: 'listTeams', effect: NOT_FOUND }];
    const { unread } = await target.verify(restore);
    expect(unread).toMatchObject([expect.stringContaining('(listTeams) answered 404')]);
  });
});

it('restore/apply says where its content waits that the platform wants reviewed before a merge, and a resume goes on once somebody has merged it: it said to try again later', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
  const body = { error: { code: 412, message: 'Merge rules are not satisfied: 1 approval is required' } };
  world.platform.faults = [{ operation: 'mergeChangeRequest', effect: { status: 412, body } }];
  const { restore, failures } = await place.apply(await place.plan());
  world.platform.faults = [];
  const [request] = (await world.api.listChangeRequests({ path: { spaceId: made.guide }, query: { status: 'draft' } }))
    .items;
  const changeRequestId = request?.id ?? '';
  expect(failures).toMatchObject([
    {
      error: expect.stringContaining('1 approval is required'),
      hint: `All of it waits in change request ${changeRequestId} of space ${made.guide}, unless somebody has merged or archived it meanwhile: have it merged by who may, or give this token what the merge asks for. Then run \`docmirror restore resume ${restore}\`.`,
    },
  ]);
  await world.api.mergeChangeRequest({ path: { spaceId: made.guide, changeRequestId } });
  expect(await place.resume(restore)).toMatchObject({ failures: [] });
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
});
