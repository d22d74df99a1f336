// Files of one space that are called the same, as pictures often are.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { planOutline } from '../../src/restore/index.ts';
import { addSpace, edit, importFiles, pagesOf, PNG } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget, drill } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

let world: TestWorld;
let space: string;

const picture = (index: number): Buffer => Buffer.concat([PNG, Buffer.alloc(index)]);

beforeAll(async () => {
  world = await TestWorld.create();
  space = await addSpace(world, 'Pictures');
  await importFiles(world, space, {
    'SUMMARY.md': '* [One](one/one.md)\n* [Two](two/two.md)\n',
    'one/one.md': '# One\n\n![](image.png)\n',
    'one/image.png': picture(1),
    'two/two.md': '# Two\n\n![](image.png)\n',
    'two/image.png': picture(2),
  });
  await world.sync();
});

afterAll(() => world[Symbol.asyncDispose]());

/** Sizes of the pictures, by the page that shows them. */
async function shownSizes(): Promise<Record<string, number>> {
  const { files } = await world.api.getRevision({ path: { spaceId: space } });
  const sizes = new Map(files.map(({ id, size }) => [id, size]));
  const pages = Object.entries(await pagesOf(world, space));
  const shown = pages.map(async ([title, pageId]) => {
    const input = { path: { spaceId: space, pageId }, query: { format: 'markdown' as const } };
    const { markdown = '' } = await world.api.getPage(input);
    return [title, sizes.get(/\/files\/(\w+)/.exec(markdown)?.[1] ?? '') ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(shown));
}

it('restore/drill passes where two files of a space have one name, and the plan says that one comes under another', async () => {
  await using target = await createTarget(world);
  const told =
    '2 pages and 2 files (1 under another name, since its own is taken or cannot stand in an archive) by import';
  expect(planOutline(await target.plan()).join('\n')).toContain(told);
  const report = await drill(world);
  const names = report.differences.filter(({ kind }) => kind === 'file').map(({ field, class: is }) => [field, is]);
  expect([report.passed, names]).toEqual([true, [['name', 'bestEffort']]]);
});

it('restore/apply in parts leaves each page its own picture where two have one name', async () => {
  await using target = await createTarget(world);
  const importLimits = { maxPages: 1, maxBytes: null };
  const { restore, failures } = await target.apply(await target.plan({ importLimits }), { importLimits });
  expect(failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});

it('restore/in-place leaves the files of a space as they are where two have one name', async () => {
  const place = inPlace(world);
  const pages = Object.values(await pagesOf(world, space));
  const before = (await world.api.getRevision({ path: { spaceId: space } })).files.length;
  await edit(world, space, ...pages.map((page) => ({ type: 'delete_page' as const, page })));
  const { restore, failures } = await place.apply(await place.plan());
  expect(failures).toEqual([]);
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
  expect((await world.api.getRevision({ path: { spaceId: space } })).files).toHaveLength(before);
  expect(await shownSizes()).toEqual({ One: PNG.length + 1, Two: PNG.length + 2 });
});
