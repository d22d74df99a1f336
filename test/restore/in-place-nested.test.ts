// Pages below pages: what goes takes nothing along that stays, and an undo means only what its restore wrote.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planTree } from '../support/plan-tree.ts';
import { edit, insert, pagesOf } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

let world: Mirrored['world'];
let made: Mirrored['made'];
let place: Mirrored['place'];

beforeEach(async () => {
  ({ world, made, place } = await anew());
});

afterEach(() => world[Symbol.asyncDispose]());

describe('restore/in-place, pages below pages', () => {
  it('takes away pages that stand below one another', async () => {
    let above: string | undefined;
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
      await edit(world, made.guide, insert(title, 'Spam', above === undefined ? {} : { into: above }));
      above = (await pagesOf(world, made.guide))[title];
    }
    const { failures } = await place.apply(await place.plan({ added: true }));
    expect(failures).toEqual([]);
    expect(Object.keys(await pagesOf(world, made.guide))).toEqual(['Home', 'Install', 'Linux', 'Use']);
  });

  it('leaves a page that is not in the snapshot where one stands below it that stays', async () => {
    await edit(world, made.guide, insert('Cover', 'New'));
    const into = (await pagesOf(world, made.guide))['Cover'] ?? '';
    await edit(world, made.guide, { type: 'update_page', page: made.pages['Use'] ?? '', into });
    const plan = await place.plan({ added: true, changed: false });
    const said = plan.steps.filter(({ title }) => title === 'Cover').map(({ note }) => note);
    expect(said).toEqual([expect.stringContaining('stays: page Use')]);
    expect((await place.apply(plan)).failures).toEqual([]);
    expect(Object.keys(await pagesOf(world, made.guide))).toContain('Use');
  });
});

it('restore/in-place sets back pages that were put below what stood below them: whichever came first by its id was moved into itself, and refused', async () => {
  const numbers = ['1', '2', '3', '4', '5', '6'];
  const put = async (title: string, above?: string): Promise<void> => {
    const into = above === undefined ? {} : { into: (await pagesOf(world, made.guide))[above] ?? '' };
    await edit(world, made.guide, insert(title, 'Text.', into));
  };
  for (const number of numbers) {
    await put(`Top ${number}`);
    await put(`Above ${number}`, `Top ${number}`);
    await put(`Below ${number}`, `Above ${number}`);
  }
  const { snapshot } = await world.sync();
  const pages = await pagesOf(world, made.guide);
  const move = (title: string, above: string) =>
    edit(world, made.guide, { type: 'update_page', page: pages[title] ?? '', into: pages[above] ?? '' });
  for (const number of numbers) {
    await move(`Below ${number}`, `Top ${number}`);
    await move(`Above ${number}`, `Below ${number}`);
  }
  const { failures } = await place.apply(await place.plan({ snapshot: snapshot.id }));
  expect(failures).toEqual([]);
  expect((await place.plan({ snapshot: snapshot.id })).steps).toEqual([]);
});

describe('restore/undo', () => {
  it('leaves the pages of a mended space that the restore did not write', async () => {
    await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
    const plan = await place.plan();
    const { restore } = await place.apply(plan);
    await edit(world, made.guide, insert('Fresh', 'Written after the restore'), {
      type: 'update_page',
      page: made.pages['Use'] ?? '',
      document: { markdown: '# Use\n\nEdited after the restore' },
    });
    const lines = planTree(await place.undo(restore, plan)).filter((line) => / page /.test(line));
    expect(lines).toEqual([
      '- revision Guide  (1 page taken away, through a change request that is merged)',
      '    - page Linux  (not in the snapshot)',
    ]);
  });
});
