// An import that ends without all of its pages, which a later one of the same space brings.
import { expect, it } from 'vitest';
import type { Revision } from '../../src/contract/index.ts';
import type { ApplyResult, ImportLimits } from '../../src/restore/index.ts';
import { addSpace, edit, importFiles, pagesOf } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { sleeplessClock } from '../support/sleepless-clock.ts';
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
  const { restore, failures, lacking } = await target.apply(await target.plan(), { client: proxy.client });
  expect([lost, failures, lacking], 'all of it came: nothing is left to tell').toEqual([1, [], 0]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});

/** Two pages that link to each other, the first of them to another space, too. */
async function linkedBook(world: TestWorld): Promise<void> {
  const book = await addSpace(world, 'Book');
  await importFiles(world, book, { 'One.md': '# One\n\nFirst.', 'Two.md': '# Two\n\n[First](One.md).' });
  const news = await addSpace(world, 'News');
  await importFiles(world, news, { 'First.md': '# First\n\nNew.' });
  const { One: page = '', Two: two = '' } = await pagesOf(world, book);
  const document = { markdown: `# One\n\nSee [news](/spaces/${news}) and [two](/pages/${two}).` };
  await edit(world, book, { type: 'update_page', page, document });
  await world.sync();
}

/** @param answers To the imports into that space, in their order; null lets one through. */
async function appliedWith(
  world: TestWorld,
  answers: readonly ({ readonly status: number; readonly body: unknown } | null)[],
  changes: { readonly importLimits?: ImportLimits },
): Promise<ApplyResult & { readonly passed: boolean; readonly imports: number }> {
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const plan = await target.plan(changes);
  let imports = 0;
  let book: string | undefined;
  proxy.rewrite = (_, { body }) => {
    const { id, title } = (body ?? {}) as { id?: string; title?: string };
    if (title === 'Book') book ??= id;
    return undefined;
  };
  proxy.before = ({ path }) => {
    const [, space = ''] = IMPORT.exec(path) ?? [];
    if (space === '' || space !== book) return undefined;
    imports += 1;
    return answers[imports - 1] ?? undefined;
  };
  const applied = await target.apply(plan, { client: proxy.client, clock: sleeplessClock(), ...changes });
  const { passed } = await target.verify(applied.restore);
  return { ...applied, passed, imports };
}

it('restore/content tells of an import that took in nothing only what no later one brought: it counted as lacking what had come', async () => {
  await using world = await TestWorld.create();
  await linkedBook(world);
  const body = { revision: 'r', importedResources: 0, totalResources: 2 };
  const { failures, lacking, passed } = await appliedWith(world, [{ status: 201, body }], {});
  expect([failures, lacking, passed]).toEqual([[], 0, true]);
});

it('restore/content tells only of links that no later import set: those that the step of the links had set were named as left', async () => {
  await using world = await TestWorld.create();
  await linkedBook(world);
  const refused = { status: 422, body: { error: { message: 'not now' } } };
  const answers = [null, null, refused];
  const { failures, lacking, passed, imports } = await appliedWith(world, answers, {
    importLimits: { maxPages: 1, maxBytes: null },
  });
  expect([failures, lacking, passed, imports > 4]).toEqual([[], 0, true, true]);
});
