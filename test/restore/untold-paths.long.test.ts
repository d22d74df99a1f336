// A platform that tells no path of a page, or no name of it either, and one that shows a computed page and computes nothing of it: the API
// document says of none of these that it has to be there.
import { describe, expect, it } from 'vitest';
import { addRequest, addSpace, importFiles, insert } from '../support/content.ts';
import { createTarget, drill } from '../support/restore.ts';
import { changing, rewriting, type Rewrite } from '../support/rewriting.ts';
import { worldAnew } from '../support/copied-world.ts';
import type { TestWorld } from '../support/world.ts';

const ALIKE = ['one', 'two', 'three', 'four', 'five', 'six'];

/** Siblings with one title, each above another page of one title, in a space and in what a change request proposes. */
const anew = worldAnew(async (world) => {
  const space = await addSpace(world, 'Manual');
  const files = ALIKE.flatMap((name) => [
    [`${name}.md`, `# Same\n\nText ${name}\n`] as const,
    [`${name}/below.md`, `# Below\n\nBelow ${name}\n`] as const,
  ]);
  const listed = ALIKE.map((name) => `* [Same](${name}.md)\n  * [Below](${name}/below.md)\n`);
  const summary = `# Table of contents\n\n* [Manual](README.md)\n${listed.join('')}`;
  await importFiles(world, space, { 'SUMMARY.md': summary, 'README.md': '# Manual\n', ...Object.fromEntries(files) });
  await addRequest(world, space, { subject: 'More', changes: [insert('Same', 'Proposed'), insert('Same', 'Too')] });
});

async function walkedThrough(world: TestWorld, rewrite: Rewrite) {
  const proxy = await rewriting(world);
  proxy.rewrite = rewrite;
  expect((await world.sync({ client: proxy.client })).snapshot).toMatchObject({ state: 'complete' });
  return proxy;
}

/** Pages have a type, and a path or none; nothing else has both. */
function isPage(one: Record<string, unknown>): boolean {
  return one['type'] === 'document' && typeof one['title'] === 'string';
}

const withoutPath = changing(({ path, ...one }) => (isPage(one) || path === undefined ? one : { path, ...one }));
const withoutNames = changing((one) => {
  if (!isPage(one)) return one;
  const { path: _path, slug: _slug, ...rest } = one;
  return rest;
});

const SOURCE = { type: 'builtin:openapi', dependencies: {}, props: { doc: 'operations' } };
const computing = changing((one) =>
  isPage(one) && String(one['title']) === 'Manual'
    ? { id: one['id'], title: one['title'], type: 'computed', computed: SOURCE, computedSeed: 'seed' }
    : one,
);

describe.each([
  ['a path', withoutPath],
  ['a path and a name', withoutNames],
])('restore/special/by-title of pages without %s', (_what, rewrite) => {
  it('takes those of one title in their order on a target that tells both: each page was an exact difference, and no drill passed', async () => {
    await using world = (await anew()).world;
    await using _proxy = await walkedThrough(world, rewrite);
    const { passed, differences } = await drill(world);
    expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
  });

  it('takes them so on a target that tells none either: they were taken by title alone, one for another', async () => {
    await using world = (await anew()).world;
    await using _proxy = await walkedThrough(world, rewrite);
    await using target = await createTarget(world);
    await using there = await rewriting(world, target.platform);
    there.rewrite = rewrite;
    const { client } = there;
    const { restore, failures } = await target.apply(await target.plan({ client, targetUrl: there.url }), { client });
    expect(failures).toEqual([]);
    const { passed, differences } = await target.verify(restore, { client });
    expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
  });
});

it('restore/drill finds the page that a computed one comes back as, where a platform shows it as it is stored: it was missing, and another stood there', async () => {
  await using world = (await anew()).world;
  await using _proxy = await walkedThrough(world, computing);
  const { passed, differences } = await drill(world);
  expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
});
