// Pages that are to be set back to an address that another page has by now, which stays: the plan says what becomes of them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planOutline } from '../../src/restore/index.ts';
import { edit, flatten, pagesOf, type Change } from '../support/content.ts';
import { mirroredAnew, type InPlaceChoice, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

let world: Mirrored['world'];
let made: Mirrored['made'];
let place: Mirrored['place'];

beforeEach(async () => {
  ({ world, made, place } = await anew());
});

afterEach(() => world[Symbol.asyncDispose]());

/** Paths of the guide's pages, by id. */
async function paths(): Promise<Record<string, string>> {
  const { pages } = await world.api.getRevision({ path: { spaceId: made.guide } });
  return Object.fromEntries(flatten(pages).map(({ id, path }) => [id, path ?? '']));
}

function page(title: string): string {
  return made.pages[title] ?? '';
}

function update(title: string, values: { slug?: string; title?: string; into?: string | null }): Change {
  return { type: 'update_page', page: page(title), ...values };
}

function insert(slug: string, place: { at?: number; into?: string } = {}): Change {
  return { type: 'insert_page', title: 'New', slug, document: { markdown: 'New.' }, ...place };
}

interface Mended {
  readonly lines: readonly string[];
  readonly undo: () => Promise<void>;
}

/** What is verified is what the plan said. */
async function mend(choice: InPlaceChoice = {}): Promise<Mended> {
  const plan = await place.plan(choice);
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect((await place.verify(restore)).passed).toBe(true);
  const undo = async (): Promise<void> => {
    expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
  };
  return { lines: planOutline(plan).map((line) => line.trim()), undo };
}

describe('restore/in-place', () => {
  it.each([0, 9])(
    'says that a page keeps its address whose own a new page has, which stands at place %i',
    async (at) => {
      await edit(world, made.guide, update('Use', { slug: 'moved', title: 'Moved' }));
      await edit(world, made.guide, insert('use', { at }));
      const before = await paths();
      const { lines, undo } = await mend();
      expect(lines).toContain('! 1 page: keeps the address moved: page New has its address, use, and stays (Use)');
      expect(lines).toContain('~ page Use  (title, text)');
      expect(await paths()).toEqual(before);
      expect(await pagesOf(world, made.guide)).toMatchObject({ Use: page('Use') });
      const again = await place.plan();
      expect(again.steps.filter(({ part }) => part !== 'none')).toEqual([]);
      await undo();
      expect(await pagesOf(world, made.guide)).toMatchObject({ Moved: page('Use') });
      expect(await paths()).toEqual(before);
    },
  );

  it('gives a page its address back when the new page that has it is to go', async () => {
    const before = await paths();
    await edit(world, made.guide, update('Use', { slug: 'moved' }), insert('use'));
    const { lines } = await mend({ added: true });
    expect(lines).toContain('slug: "moved" -> "use"');
    expect(await paths()).toEqual(before);
  });

  it('says what address a page gets where it goes back to, when a new page there has its own', async () => {
    await edit(world, made.guide, update('Linux', { into: null }));
    await edit(world, made.guide, insert('linux', { into: page('Install') }));
    const before = await paths();
    const { lines, undo } = await mend();
    const after = await paths();
    const given = /^install\/(linux-[0-9a-f]{8})$/.exec(after[page('Linux')] ?? '')?.[1] ?? '';
    expect(lines).toContain('~ page Linux  (parent, slug, page New has its address)');
    expect(lines).toContain(`slug: "linux" -> "${given}"`);
    expect({ ...after, [page('Linux')]: 'linux' }).toEqual(before);
    await undo();
    expect(await paths()).toEqual(before);
  });

  it('says of each page that it keeps its address when one waits for the other, and the last for a new page', async () => {
    await edit(world, made.guide, update('Use', { slug: 'moved' }));
    await edit(world, made.guide, update('Install', { slug: 'use' }));
    await edit(world, made.guide, insert('install'));
    const before = await paths();
    const { lines } = await mend();
    expect(lines).toEqual(
      expect.arrayContaining([
        '! 1 page: keeps the address moved: page Install has its address, use, and stays (Use)',
        '! 1 page: keeps the address use: page New has its address, install, and stays (Install)',
      ]),
    );
    expect(await paths()).toEqual(before);
  });

  it('brings a page back under another address when the page that has its own cannot give it up', async () => {
    await edit(world, made.guide, { type: 'delete_page', page: page('Use') });
    await edit(world, made.guide, update('Install', { slug: 'use' }));
    await edit(world, made.guide, insert('install'));
    const { lines } = await mend({ scope: `page:${page('Use')}` });
    expect(lines).toContainEqual(expect.stringMatching(/^\+ page Use {2}\(gone, .* comes back as use-[0-9a-f]{8}\)$/));
    const before = await paths();
    await mend();
    expect(await paths()).toEqual(before);
  });
});
