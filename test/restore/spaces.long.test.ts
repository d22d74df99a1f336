// Spaces come back by the first way that the target offers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepsOf } from '../../src/mirror/index.ts';
import { addCollection, addSpace, importFiles } from '../support/content.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

let world: TestWorld;

beforeAll(async () => {
  world = await TestWorld.create();
  const collection = await addCollection(world, 'Manuals');
  for (const [title, parent] of [
    ['First', collection],
    ['Second', collection],
    ['Third', collection],
    ['Loose'],
  ] as const) {
    const space = await addSpace(world, title, parent);
    await world.api.updateSpace({ path: { spaceId: space }, body: { emoji: '1f4d8' } });
    await importFiles(world, space, { 'README.md': `# ${title}\n\nWhat it is about.\n` });
  }
  await world.sync();
});

afterAll(() => world[Symbol.asyncDispose]());

type Faults = Target['platform']['faults'];

/** The create operation is not there. */
const NONE: Faults[number] = { operation: 'createSpace', nth: 1, count: 100, effect: { status: 501 } };

function waysOf(restore: string): (string | null)[] {
  const made = stepsOf(world.mirror, restore).filter(({ kind, new_id: id }) => kind === 'space' && id !== null);
  return made.map(({ detail }) => (JSON.parse(detail ?? '{}') as { how?: string }).how ?? null);
}

async function titlesIn(target: Target): Promise<string[]> {
  const { items } = await target.client.api.listCollections({ path: { organizationId: target.organization } });
  const path = { collectionId: items[0]?.id ?? '' };
  return (await target.client.api.listCollectionSpaces({ path })).items.map(({ title }) => title);
}

async function expectWhole(target: Target, restore: string): Promise<void> {
  const report = await target.verifyCounting(restore);
  expect(report.differences).toEqual([]);
  expect(report.passed).toBe(true);
  const { items } = await target.client.api.listSites({ path: { organizationId: target.organization } });
  expect(items).toEqual([]);
  expect(report.counts['space']).toBe(4);
}

describe('restore/steps/spaces', () => {
  it('stand in a collection in the order in which they were made', async () => {
    await using target = await createTarget(world);
    const { restore } = await target.apply(await target.plan());
    expect(await titlesIn(target)).toEqual(['First', 'Second', 'Third']);
    expect(waysOf(restore)).toEqual([null, null, null, null]);
  });

  it.each([404, 405, 501])('come from a new site and its copies where creating answers %i', async (status) => {
    await using target = await createTarget(world);
    target.platform.faults = [{ ...NONE, effect: { status } }];
    const applied = await target.apply(await target.plan());
    expect(applied.failures).toEqual([]);
    const copied = 'a copy of an empty space';
    expect(waysOf(applied.restore)).toEqual(['a new site, which was deleted again', copied, copied, copied]);
    expect(target.platform.requestLog.counts()['createSpace'], 'asked once').toBe(1);
    expect(await titlesIn(target)).toEqual(['First', 'Second', 'Third']);
    await expectWhole(target, applied.restore);
  });

  it('are copies of an empty space that stands there', async () => {
    await using target = await createTarget(world);
    const donor = await target.client.api.createSpace({
      path: { organizationId: target.organization },
      body: { title: 'Empty' },
    });
    target.platform.faults = [NONE];
    const plan = await target.plan({ intoExisting: true });
    expect(plan.donor).toBe(donor.id);
    const applied = await target.apply(plan);
    expect(applied.failures).toEqual([]);
    expect(new Set(waysOf(applied.restore))).toEqual(new Set(['a copy of an empty space']));
    expect((await target.verify(applied.restore)).passed).toBe(true);
    const path = { spaceId: donor.id };
    expect((await target.client.api.getRevision({ path })).pages, 'the donor stays empty').toEqual([]);
  });

  it('are never copies of a space with content', async () => {
    await using target = await createTarget(world);
    const path = { organizationId: target.organization };
    const { id } = await target.client.api.createSpace({ path, body: { title: 'Full' } });
    await importFiles({ api: target.client.api }, id, { 'README.md': '# Full\n\nWith a text.\n' });
    expect((await target.plan({ intoExisting: true })).donor).toBeNull();
  });

  it('say what to do where the target offers no way at all', async () => {
    await using target = await createTarget(world);
    target.platform.faults = [NONE, { operation: 'createSite', nth: 1, count: 100, effect: { status: 404 } }];
    const applied = await target.apply(await target.plan());
    const [failure] = applied.failures;
    expect(failure?.error).toContain('no create operation, no empty space to copy, no site with a new one');
    expect(await target.counts()).not.toHaveProperty('space');
    target.platform.faults = [];
    expect((await target.resume(applied.restore)).failures).toEqual([]);
    await expectWhole(target, applied.restore);
  });

  it.each(['lost', 'killed'] as const)(
    'are finished when every write on these ways is %s, unsent and then processed',
    async (cut) => {
      await using target = await createTarget(world);
      target.platform.faults = [NONE];
      const { restore, after, result } = await target.endure(await target.plan(), cut);
      expect(result.failures).toEqual([]);
      for (const operation of ['createSite', 'moveSpace', 'updateSpace', 'deleteSite'])
        expect(after).toContain(operation);
      expect(after.has('duplicateSpace'), 'whoever goes on after a loss has no copy to begin with').toBe(
        cut === 'killed',
      );
      await expectWhole(target, restore);
    },
  );

  it('are finished when every copy of an empty space is lost, unsent and then processed', async () => {
    await using target = await createTarget(world);
    const path = { organizationId: target.organization };
    await target.client.api.createSpace({ path, body: { title: 'Empty' } });
    target.platform.faults = [NONE];
    const { restore, after, result } = await target.endure(await target.plan({ intoExisting: true }), 'lost');
    expect([result.failures, after.has('duplicateSpace'), after.has('createSite')]).toEqual([[], true, false]);
    const { counts, passed } = await target.verifyCounting(restore);
    expect([counts['space'], passed]).toEqual([5, true]);
  });
});
