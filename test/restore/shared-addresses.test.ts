// A platform that keeps pages of one name side by side apart by their ids alone: two requests that each brought one were merged.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, flatten, importFiles, insert } from '../support/content.ts';
import { createTarget, drill } from '../support/restore.ts';
import { changing, rewriting, type Rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const isPage = (one: Record<string, unknown>): boolean => one['type'] === 'document' && typeof one['path'] === 'string';

/** What the embedded platform numbers: `news-2`, and what stands below it. */
const named = (value: unknown): string => String(value).replaceAll(/(?<=^|\/)(news|below)-\d+/g, '$1');

/** Siblings of one name in a space and in what a change request proposes, each with a page below. */
async function walkedThrough(world: TestWorld): Promise<Rewriting> {
  const space = await addSpace(world, 'Manual');
  const numbers = ['1', '2', '3'];
  const files = numbers.flatMap((nth) => [
    [`news-${nth}.md`, `# News\n\nThe ${nth}. of them\n`] as const,
    [`news-${nth}/below.md`, `# Below\n\nBelow the ${nth}.\n`] as const,
  ]);
  const listed = numbers.map((nth) => `* [News](news-${nth}.md)\n  * [Below](news-${nth}/below.md)\n`);
  const summary = `# Table of contents\n\n* [Manual](README.md)\n${listed.join('')}`;
  await importFiles(world, space, { 'SUMMARY.md': summary, 'README.md': '# Manual\n', ...Object.fromEntries(files) });
  await addRequest(world, space, { subject: 'More', changes: [insert('News', 'Proposed'), insert('News', 'Too')] });
  const proxy = await rewriting(world);
  proxy.rewrite = changing((one) =>
    isPage(one) ? { ...one, slug: named(one['slug']), path: named(one['path']) } : one,
  );
  expect((await world.sync({ client: proxy.client })).snapshot).toMatchObject({ state: 'complete' });
  return proxy;
}

it('restore/drill takes pages that one address leads to in their order: one was taken for another, and no drill passed', async () => {
  await using world = await TestWorld.create();
  await using _proxy = await walkedThrough(world);
  const { passed, differences } = await drill(world);
  expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
});

it('restore/verify tells another text of such a page: what is excused is its address alone', async () => {
  await using world = await TestWorld.create();
  await using _proxy = await walkedThrough(world);
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  expect((await target.verify(restore)).passed).toBe(true);
  const api = target.client.api;
  const space = await target.spaceCalled('Manual');
  const pages = flatten((await api.getRevision({ path: { spaceId: space } })).pages);
  const second = pages.filter(({ title }) => title === 'News')[1]?.id ?? '';
  await edit({ api }, space, { type: 'update_page', page: second, document: { markdown: 'Another text' } });
  expect((await target.verify(restore)).differences).toContainEqual(
    expect.objectContaining({ kind: 'page', field: 'markdown', class: 'exact' }),
  );
});
