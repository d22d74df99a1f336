// An import that ends without all of its pages, which a later one of the same space brings.
import { expect, it } from 'vitest';
import type { Revision } from '../../src/contract/index.ts';
import { addSpace, edit, importFiles, pagesOf } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const IMPORT = /^\/v1\/spaces\/([^/]+)\/content\/import$/;

it('restore/content takes pages that came with the import of the links for those that the first one had not brought: verify called them missing', async () => {
  await using world = await TestWorld.create();
  const book = await addSpace(world, 'Book');
  await importFiles(world, book, { 'One.md': '# One\n\nFirst.', 'Two.md': '# Two\n\nSecond.' });
  const news = await addSpace(world, 'News');
  await importFiles(world, news, { 'First.md': '# First\n\nNew.' });
  const { One: one = '' } = await pagesOf(world, book);
  await edit(world, book, {
    type: 'update_page',
    page: one,
    document: { markdown: `# One\n\nSee [news](/spaces/${news}).` },
  });
  await world.sync();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  let lost = 0;
  proxy.rewrite = async ({ path }) => {
    const [, space] = IMPORT.exec(path) ?? [];
    if (space === undefined || lost > 0) return undefined;
    const { pages } = (await target.client.api.getRevision({ path: { spaceId: space } })) as Revision;
    const two = pages.find(({ title }) => title === 'Two')?.id;
    if (two === undefined) return undefined;
    lost += 1;
    await edit(target.client, space, { type: 'delete_page', page: two });
    return undefined;
  };
  const { restore, failures } = await target.apply(await target.plan(), { client: proxy.client });
  expect(failures.map(({ error }) => error)).toEqual([
    expect.stringMatching(/^not found among what the platform imported: 1 page \(Two\)/),
    expect.stringMatching(/^1 page not found before came with this import: Two$/),
  ]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});
