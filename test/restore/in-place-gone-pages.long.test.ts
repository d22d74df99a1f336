// Pages that are gone from a space that stands, and what became of the pages above and beside them since.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../src/contract/index.ts';
import { type Plan } from '../../src/restore/index.ts';
import { planTree } from '../support/plan-tree.ts';
import { addSpace, edit, flatten, importFiles, insert, pagesOf } from '../support/content.ts';
import { mirroredAnew, type InPlace, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

let world: Mirrored['world'];
let made: Mirrored['made'];
let place: Mirrored['place'];

beforeEach(async () => {
  ({ world, made, place } = await anew());
});

afterEach(() => world[Symbol.asyncDispose]());

function page(title: string): string {
  return made.pages[title] ?? '';
}

function gone(title: string) {
  return { type: 'delete_page', page: page(title) } as const;
}

/** Addresses of all pages, with the text of each. */
async function texts(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const read = async (pages: readonly Page[]): Promise<void> => {
    for (const one of pages) {
      const input = { path: { spaceId: made.guide, pageId: one.id }, query: { format: 'markdown' as const } };
      const { path, markdown = '' } = await world.api.getPage(input);
      found[path ?? ''] = markdown;
      await read(one.pages ?? []);
    }
  };
  await read((await world.api.getRevision({ path: { spaceId: made.guide } })).pages);
  return found;
}

async function mend(choice: Parameters<InPlace['plan']>[0] = {}): Promise<Plan> {
  const plan = await place.plan(choice);
  expect((await place.apply(plan)).failures).toEqual([]);
  return plan;
}

function pageLines(plan: Plan): string[] {
  return planTree(plan)
    .filter((line) => /^ +[+~-] page /.test(line))
    .map((line) => line.trim());
}

describe('restore/in-place', () => {
  it('brings back with a page the page above that is gone too', async () => {
    const before = await texts();
    await edit(world, made.guide, gone('Install'));
    const plan = await mend({ scope: `page:${page('Linux')}` });
    expect(pageLines(plan).slice(0, 2)).toEqual(['+ page Install  (gone, holds page Linux)', '+ page Linux  (gone)']);
    expect(Object.keys(await texts())).toEqual(Object.keys(before));
    expect(pageLines(await place.plan()), 'of another space').toEqual(['~ page First  (links)']);
  });

  it('brings a page back below the page that stands for the one above since an earlier restore', async () => {
    const before = await texts();
    await edit(world, made.guide, gone('Install'));
    await mend({ scope: `page:${page('Install')}` });
    expect(Object.keys(await texts())).not.toEqual(Object.keys(before));
    await mend({ scope: `page:${page('Linux')}` });
    expect(Object.keys(await texts())).toEqual(Object.keys(before));
  });

  it('brings a page back whose parent was renamed and moved since', async () => {
    const before = await texts();
    const moved = {
      type: 'update_page',
      page: page('Install'),
      slug: 'setup',
      title: 'Setup',
      into: page('Use'),
    } as const;
    await edit(world, made.guide, gone('Linux'), moved);
    await mend({ scope: `page:${page('Linux')}` });
    expect(Object.keys(await texts())).toContain('use/setup/linux');
    await mend();
    expect(Object.keys(await texts())).toEqual(Object.keys(before));
    expect(pageLines(await place.plan())).toEqual([]);
  });

  it('makes no page twice when such a restore is cut off and resumed', async () => {
    const before = await texts();
    await edit(world, made.guide, gone('Linux'), { type: 'update_page', page: page('Install'), slug: 'setup' });
    const { result } = await place.endure(await place.plan(), 'lost');
    expect(result.failures).toEqual([]);
    expect(Object.keys(await texts())).toEqual(Object.keys(before));
  });

  it('does not write a page that is gone over the one that took its address', async () => {
    const before = await texts();
    await edit(world, made.guide, gone('Install'), { type: 'update_page', page: page('Use'), slug: 'install' });
    const plan = await mend();
    expect(pageLines(plan)).toContain('+ page Install  (gone, page Use has its address)');
    const after = await texts();
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(after['use']).toContain('Run it');
    expect(await pagesOf(world, made.guide)).toMatchObject({ Use: page('Use') });
  });

  it('brings back what stood below a page that is written over, and puts that where it stood', async () => {
    const before = await texts();
    await edit(world, made.guide, gone('Install'), insert('Install', 'Written since.'));
    expect(pageLines(await mend()).slice(0, 2)).toEqual([
      '+ page Linux  (gone)',
      '~ page Install  (another page is in its place)',
    ]);
    const after = await texts();
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(after['install']).toContain('Get the package');
    expect(pageLines(await place.plan())).toEqual([]);
  });

  it('gives a page its address again although the edits that free it fill more than one request', async () => {
    const titles = Array.from({ length: 48 }, (_, at) => `Extra ${at}`);
    const inserts = [
      ...titles.map((title) => insert(title, 'Text.')),
      insert('Linux', 'Of its own.', { into: page('Use') }),
    ];
    await edit(world, made.guide, ...inserts);
    const { snapshot } = await world.sync();
    const before = Object.keys(await texts());
    const { pages } = await world.api.getRevision({ path: { spaceId: made.guide } });
    const idOf = (path: string) => flatten(pages).find((one) => one.path === path)?.id ?? '';
    const renamed = titles.map(
      (title, at) => ({ type: 'update_page', page: idOf(`extra-${at}`), emoji: '1f600' }) as const,
    );
    const moved = { type: 'update_page', page: idOf('use/linux'), into: page('Install') } as const;
    await edit(world, made.guide, gone('Linux'), ...renamed);
    await edit(world, made.guide, moved);
    await mend({ snapshot: snapshot.id });
    expect(Object.keys(await texts())).toEqual(before);
  });

  it('leaves what a person made in the place of a page when that page alone is asked for', async () => {
    await edit(world, made.guide, gone('Linux'));
    await edit(world, made.guide, insert('Linux', 'Written since.', { into: page('Install') }));
    const plan = await mend({ scope: `page:${page('Linux')}` });
    expect(pageLines(plan)[0]).toMatch(
      /^\+ page Linux {2}\(gone, page Linux has its address: comes back as linux-[0-9a-f]{8}\)$/,
    );
    const after = await texts();
    expect(after['install/linux']).toContain('Written since.');
    const beside = Object.entries(after).find(([path]) => path.startsWith('install/linux-'));
    expect(beside?.[1]).toContain('Use the archive');
  });

  it('brings back what stood below a page that somebody made anew, and puts that one where it stood', async () => {
    const before = await texts();
    await edit(world, made.guide, gone('Install'));
    await edit(world, made.guide, insert('Install', 'Written since.'));
    await mend();
    const after = await texts();
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(after['install/linux']).toBe(before['install/linux']);
    expect(pageLines(await place.plan())).toEqual([]);
  });

  it('leaves a page where it is when the page that it stood below is gone and is not asked for', async () => {
    await edit(world, made.guide, { type: 'update_page', page: page('Linux'), into: null, title: 'Penguin' });
    await edit(world, made.guide, gone('Install'));
    const plan = await mend({ missing: false });
    expect(plan.steps.filter(({ part }) => part === 'none').map(({ note }) => note)).toEqual([
      expect.stringContaining('the page that it stood below is gone'),
    ]);
    expect(await pagesOf(world, made.guide)).toMatchObject({ Linux: page('Linux') });
  });
});

it('restore/in-place: a link in whose place somebody has made the same link again is set back in that: its empty name was refused, and nothing of the space was mended', async () => {
  const space = await addSpace(world, 'Linked');
  const withLink = { 'SUMMARY.md': '* [In](in.md)\n* [Out](https://example.com)\n', 'in.md': '# In\n\nText.\n' };
  await importFiles(world, space, withLink);
  const { id: snapshot } = (await world.sync()).snapshot;
  const before = await pagesOf(world, space);
  await edit(world, space, { type: 'delete_page', page: before['Out'] ?? '' });
  await importFiles(world, space, withLink);
  expect((await pagesOf(world, space))['Out']).not.toBe(before['Out']);
  const plan = await place.plan({ added: true, snapshot });
  expect(plan.steps.flatMap(({ pages }) => pages?.changed ?? [])).toMatchObject([{ of: before['Out'] }]);
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect((await place.verify(restore)).passed).toBe(true);
  expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
});
