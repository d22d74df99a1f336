// A space that the target refuses, as where the plan of the organization holds no more of them.
import { expect, it } from 'vitest';
import { addSpace, importFiles, pagesOf } from '../support/content.ts';
import { createTarget, nthMade } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

it('restore/plan: one space that is refused keeps from the others neither their links to one another nor their settings, but of those that link into it: all of them waited for it, also with each resume', async () => {
  await using world = await TestWorld.create();
  const [guide, news, extra] = [
    await addSpace(world, 'Guide'),
    await addSpace(world, 'News'),
    await addSpace(world, 'Extra'),
  ];
  await importFiles(world, extra, { 'README.md': '# Extra\n' });
  await importFiles(world, guide, { 'README.md': '# Guide\n' });
  const { Extra: there = '' } = await pagesOf(world, extra);
  const { Guide: page = '' } = await pagesOf(world, guide);
  await importFiles(world, news, {
    'README.md': `# News\n\n[guide](/spaces/${guide}/pages/${page})\n`,
    'more.md': `# More\n\n[guide](/spaces/${guide}/pages/${page}) [extra](/spaces/${extra}/pages/${there})\n`,
  });
  await importFiles(world, guide, { 'news.md': `# On\n\n[news](/spaces/${news})\n` });
  for (const spaceId of [guide, news])
    await world.api.updateSpace({ path: { spaceId }, body: { editMode: 'locked', defaultLevel: 'read' } });
  await world.sync();
  await using target = await createTarget(world);
  const plan = await target.plan();
  const nth = nthMade(plan, 'space', 'Extra');
  target.platform.faults = [{ operation: 'createSpace', nth, effect: { status: 403 } }];
  const { restore } = await target.apply(plan);
  const settingsOf = async (title: string) => {
    const path = { spaceId: await target.spaceCalled(title) };
    const { editMode, defaultLevel } = await target.client.api.getSpace({ path });
    return { editMode, defaultLevel };
  };
  const asWanted = { editMode: 'locked', defaultLevel: 'read' };
  expect([await settingsOf('Guide'), await settingsOf('News')]).toEqual([
    asWanted,
    expect.not.objectContaining(asWanted),
  ]);
  const spaceId = await target.spaceCalled('Guide');
  const { On: pageId = '' } = await pagesOf(target.client, spaceId);
  const { api } = target.client;
  const on = await api.getPage({ path: { spaceId, pageId }, query: { format: 'markdown' } });
  expect(JSON.stringify(on)).toContain(`/spaces/${await target.spaceCalled('News')}`);
  target.platform.faults = [];
  expect((await target.resume(restore)).failures).toEqual([]);
  expect(await settingsOf('News')).toEqual(asWanted);
  expect((await target.verify(restore)).passed).toBe(true);
});
