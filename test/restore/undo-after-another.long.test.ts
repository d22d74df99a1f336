// A restore is taken back after another one has worked upon what it brought: that is told from what people did.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/restore/index.ts';
import { edit, insert, pagesOf, type Change } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

const ALL = { missing: true, changed: true, added: true };

let there: Mirrored;

beforeEach(async () => {
  there = await anew();
});

afterEach(() => there.world[Symbol.asyncDispose]());

interface Restored {
  readonly restore: string;
  readonly plan: Plan;
}

async function restored(snapshot = 1): Promise<Restored> {
  const { place, world } = there;
  world.clock.advance(60_000);
  const plan = await place.plan({ ...ALL, snapshot });
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  world.clock.advance(60_000);
  return { restore, plan };
}

async function takenBack({ restore, plan }: Restored): Promise<string> {
  const { place, world } = there;
  const { restore: undo, failures } = await place.apply(await place.undo(restore, plan));
  expect(failures).toEqual([]);
  world.clock.advance(60_000);
  return undo;
}

/** What the undo would do with what is of a kind. */
async function said({ restore, plan }: Restored, of: readonly string[]): Promise<string[]> {
  const { steps } = await there.place.undo(restore, plan);
  const meant = steps.filter(({ kind }) => of.includes(kind));
  return meant.map(({ action, kind, title, note }) => `${action} ${kind} ${title}: ${note}`);
}

function changedBy({ restore }: Restored): string {
  return `restore ${restore} changed it since: take that back first with \`docmirror restore undo ${restore}\`, it is left as it is`;
}

describe('restore/undo of a space that came out of the bin, in which a second restore has taken away what was added', () => {
  let first: Restored;
  let second: Restored;

  beforeEach(async () => {
    const { world, made } = there;
    const path = { spaceId: made.guide };
    await world.api.createComment({ path, body: { body: { markdown: 'Added since' } } });
    await world.api.deleteSpace({ path });
    first = await restored();
    second = await restored();
    expect(second.plan.steps.map(({ action, kind }) => `${action} ${kind}`)).toEqual(['delete comment']);
  });

  it('names the second one, and that it is taken back first: it said that somebody had changed the space', async () => {
    expect(await said(first, ['space'])).toEqual([`unsupported space Guide: ${changedBy(second)}`]);
    // In a copy of the platform the same things have the same ids.
    const { driver } = there.world.mirror.store;
    driver.prepare(`update restores set target = 'http://copy.test' where id = ?`).run(second.restore);
    expect(await said(first, ['space'])).toEqual([expect.stringContaining('somebody changed it after the restore')]);
  });

  it('takes it away once the second one was taken back: it stayed, as if somebody had changed it', async () => {
    await takenBack(second);
    expect(await said(first, ['space'])).toEqual([
      `delete space Guide: made or brought back by restore ${first.restore}`,
    ]);
    expect((await there.place.verify(await takenBack(first))).passed).toBe(true);
  });

  it('takes it away once that was taken back with one write whose answer was lost: it stayed, as if somebody had changed it', async () => {
    const { place, world } = there;
    const undo = await place.undo(second.restore, second.plan);
    world.platform.faults = [
      { operation: 'createComment', effect: 'cut-after' },
      { operation: 'listComments', nth: 2, count: 9, effect: { status: 500 } },
    ];
    const { restore, failed } = await place.apply(undo);
    expect(failed).toBe(1);
    world.platform.faults = [];
    world.clock.advance(60_000);
    expect(await said(first, ['space'])).toEqual([
      expect.stringContaining(`take that back first with \`docmirror restore resume ${restore}\``),
    ]);
    expect((await place.resume(restore)).failed).toBe(0);
    expect(await said(first, ['space'])).toEqual([
      `delete space Guide: made or brought back by restore ${first.restore}`,
    ]);
  });

  it('leaves what somebody wrote between the two', async () => {
    const { world, made, place } = there;
    await takenBack(second);
    await edit(world, made.guide, insert('Mine', 'By somebody'));
    const third = await restored(1);
    await takenBack(third);
    expect(await said(first, ['space'])).toEqual([
      'unsupported space Guide: somebody changed it after the restore: it is left as it is',
    ]);
    expect((await place.apply(await place.undo(first.restore, first.plan))).failures).toEqual([]);
  });

  it('names one that failed there after somebody had written: nobody can tell what is whose', async () => {
    const { world, made, place } = there;
    await takenBack(second);
    await edit(world, made.guide, insert('Mine', 'By somebody'));
    const plan = await place.plan(ALL);
    world.platform.faults = [{ operation: 'mergeChangeRequest', effect: { status: 503 } }];
    const { restore } = await place.apply(plan);
    world.platform.faults = [];
    expect(await said(first, ['space'])).toEqual([
      expect.stringContaining(`restore ${restore} has written there since, and maybe somebody as well`),
    ]);
  });
});

describe('restore/undo of a space that came out of the bin, in which a second restore has set a comment of somebody back', () => {
  let first: Restored;
  let second: Restored;

  beforeEach(async () => {
    const { world, made } = there;
    const path = { spaceId: made.guide };
    const { id: commentId } = await world.api.createComment({ path, body: { body: { markdown: 'Said' } } });
    await world.sync();
    world.clock.advance(60_000);
    const body = { body: { markdown: 'Said otherwise' } };
    await world.api.updateComment({ path: { ...path, commentId }, body });
    await world.api.deleteSpace({ path });
    first = await restored(2);
    second = await restored(2);
    expect(second.plan.steps.map(({ action, kind }) => `${action} ${kind}`)).toEqual(['update comment']);
    await takenBack(second);
  });

  it('takes it away once the second one was taken back: it stayed, as if somebody had changed it', async () => {
    expect(await said(first, ['space'])).toEqual([
      `delete space Guide: made or brought back by restore ${first.restore}`,
    ]);
  });

  it('leaves it where somebody has said something since', async () => {
    const { world, made } = there;
    await world.api.createComment({ path: { spaceId: made.guide }, body: { body: { markdown: 'Later' } } });
    expect(await said(first, ['space'])).toEqual([expect.stringContaining('somebody changed it after the restore')]);
  });
});

it('restore/undo puts a space back into the bin with the values that it had there: it stayed, as if somebody had set them since', async () => {
  const { world, made } = there;
  const path = { organizationId: world.organization };
  await world.api.createCustomField({ path, body: { name: 'stage', type: 'text' } });
  const give = (value: string) =>
    world.api.updateCustomFieldValues({
      path: { spaceId: made.guide },
      body: { values: { stage: { value } } },
    });
  await give('one');
  await world.sync();
  await give('two');
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  const one = await restored(2);
  expect(await said(one, ['space'])).toEqual([`delete space Guide: made or brought back by restore ${one.restore}`]);
});

describe('restore/undo of a page that was set back, and that a second restore has written', () => {
  let first: Restored;

  function use(text: string): Change {
    return { type: 'update_page', page: there.made.pages['Use'] ?? '', document: { markdown: `# Use\n\n${text}` } };
  }

  async function textOfUse(): Promise<string> {
    const path = { spaceId: there.made.guide, pageId: there.made.pages['Use'] ?? '' };
    return (await there.world.api.getPage({ path, query: { format: 'markdown' } })).markdown ?? '';
  }

  beforeEach(async () => {
    const { world, made } = there;
    await edit(world, made.guide, use('Vandalised.'));
    first = await restored();
  });

  it('names the second one: it said that somebody had changed the page', async () => {
    const second = await restored(2);
    expect(await textOfUse()).toContain('Vandalised.');
    expect(await said(first, ['page', 'revision'])).toEqual([`unsupported page Use: ${changedBy(second)}`]);
  });

  it('names none that has written in another space only, once somebody has edited the page', async () => {
    const { world, made, place } = there;
    const news = (await pagesOf(world, made.news))['First'] ?? '';
    await edit(world, made.news, { type: 'update_page', page: news, document: { markdown: '# First\n\nOther.' } });
    expect((await place.apply(await place.plan({ scope: `space:${made.news}` }))).failures).toEqual([]);
    world.clock.advance(60_000);
    await edit(world, made.guide, use('By somebody.'));
    expect(await said(first, ['page', 'revision'])).toEqual([
      'unsupported page Use: somebody changed it after the restore: it is left as it is',
    ]);
  });

  it('names none that has written nothing there, since somebody was first: it was said to have written, and to be taken back first', async () => {
    const { world, made, place } = there;
    await edit(world, made.guide, use('Vandalised again.'));
    const keepBefore = (): Promise<void> => edit(world, made.guide, use('By somebody.'));
    const { failures } = await place.apply(await place.plan({ snapshot: 1 }), { keepBefore });
    expect(failures).toMatchObject([{ kind: 'revision', isHeldBack: true }]);
    world.clock.advance(60_000);
    expect(await said(first, ['page', 'revision'])).toEqual([
      'unsupported page Use: somebody changed it after the restore: it is left as it is',
    ]);
  });

  it('takes both back, one after the other: the page stayed, as if somebody had changed it', async () => {
    await takenBack(await restored(2));
    expect(await textOfUse()).not.toContain('Vandalised.');
    await takenBack(first);
    expect(await textOfUse()).toContain('Vandalised.');
  });

  it('leaves what somebody wrote between the two, and the second one has written over and given back', async () => {
    const { world, made } = there;
    await edit(world, made.guide, use('By somebody.'));
    await takenBack(await restored(2));
    expect(await said(first, ['page', 'revision'])).toEqual([
      'unsupported page Use: somebody changed it after the restore: it is left as it is',
    ]);
    expect(await textOfUse()).toContain('By somebody.');
  });
});

it('restore/undo of a site names the restore that has brought a link to it back since: it said that somebody had added that', async () => {
  const { api, organization: organizationId } = there.world;
  const { id } = await api.createSite({ path: { organizationId }, body: { title: 'Handbook' } });
  await api.createShareLink({ path: { organizationId, siteId: id }, body: { name: 'Partners' } });
  const { snapshot: before } = await there.world.sync();
  await api.deleteSite({ path: { organizationId, siteId: id } });
  const first = await restored(before.id);
  const { snapshot: between } = await there.world.sync();
  const siteId = (await api.listSites({ path: { organizationId } })).items[0]?.id ?? '';
  const path = { organizationId, siteId };
  const shareLinkId = (await api.listShareLinks({ path })).items[0]?.id ?? '';
  await api.deleteShareLink({ path: { ...path, shareLinkId } });
  const second = await restored(between.id);
  const why = `which restore ${second.restore} has brought there since, would go with it`;
  expect(await said(first, ['site'])).toEqual([
    expect.stringContaining(`share-link "Partners", ${why}: take that back`),
  ]);
});
