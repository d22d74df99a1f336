// The API document does not require the id of a text in a tree: a tree without one says nothing of texts.
import { describe, expect, it } from 'vitest';
import { addSpace, edit, insert } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const TEXTS = 'select id, markdown from pages order by id';

function withoutIds(_key: string, value: Record<string, unknown> | null): unknown {
  if (typeof value !== 'object' || value?.['documentId'] === undefined) return value;
  const { documentId: _id, ...rest } = value;
  return rest;
}

/** Trees tell of no texts any more, nor do pages where `pages` is true. */
function untell(proxy: Rewriting, { pages = false } = {}): void {
  proxy.rewrite = ({ path }, { status, body }) => {
    const isTree = path.endsWith('/content');
    if (!isTree && !(pages && path.includes('/content/page/'))) return undefined;
    return { status, body: JSON.parse(JSON.stringify(body), withoutIds) as unknown };
  };
}

describe('walker/page-text, a tree that tells of no texts', () => {
  it.each([
    { mode: 'full', pages: false, documents: false },
    { mode: 'full', pages: true, documents: true },
    { mode: 'incremental', pages: true, documents: true },
  ] as const)(
    'takes no text for gone that the page itself still has: every page was emptied ($mode, pages $pages, trees $documents)',
    async ({ mode, pages, documents }) => {
      await using world = await furnishedWorld();
      await using proxy = await rewriting(world);
      const { guide } = world.made;
      const settings = { documents };
      await world.sync({ client: proxy.client, settings });
      const before = rowsOf(world.mirror, TEXTS);
      untell(proxy, { pages });
      await edit(world, guide, insert('Added', '# Added\n\nIts text.'));
      const { snapshot } = await world.sync({ client: proxy.client, mode, settings });
      const after = rowsOf(world.mirror, TEXTS);
      expect(snapshot).toMatchObject({ state: 'complete', reason: null });
      expect(after).toEqual(expect.arrayContaining(before));
      expect(after.map(({ markdown }) => markdown)).toContainEqual(expect.stringContaining('Its text.'));
      world.platform.clearRequestLog();
      await world.sync({ client: proxy.client, settings });
      expect(world.asked('getPage')).toBe(0);
    },
  );

  it('reads the texts of a first walk', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    await edit(world, await addSpace(world, 'Guide'), insert('One', '# One\n\nFirst.'));
    untell(proxy, { pages: true });
    const { snapshot } = await world.sync({ client: proxy.client });
    expect(snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, "select count(*) as n from pages where markdown like '%First.%'")).toEqual([{ n: 1 }]);
  });

  it('asks for no page that is empty beside others that have a text', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const space = await addSpace(world, 'Guide');
    await edit(world, space, insert('One', '# One\n\nFirst.'), insert('Two', '# Two\n\nSecond.'));
    proxy.rewrite = ({ path }, { status, body }) => {
      if (!path.endsWith('/content')) return undefined;
      const empty = (key: string, value: unknown): unknown =>
        typeof value === 'object' && value !== null && 'title' in value && value.title === 'Two'
          ? withoutIds(key, { ...value })
          : value;
      return { status, body: JSON.parse(JSON.stringify(body), empty) as unknown };
    };
    await world.sync({ client: proxy.client });
    expect(rowsOf(world.mirror, 'select title from pages where markdown is null')).toEqual([{ title: 'Two' }]);
  });

  it('takes a text for gone once the page itself has none', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    await edit(world, await addSpace(world, 'Guide'), insert('One', '# One\n\nFirst.'));
    await world.sync({ client: proxy.client });
    untell(proxy);
    const tree = proxy.rewrite;
    proxy.rewrite = (asked, answer) => {
      if (!asked.path.includes('/content/page/')) return tree(asked, answer);
      const { markdown: _text, documentId: _id, ...rest } = answer.body as Record<string, unknown>;
      return { status: answer.status, body: rest };
    };
    const { snapshot } = await world.sync({ client: proxy.client, mode: 'full' });
    expect([snapshot.state, rowsOf(world.mirror, 'select count(markdown) as n from pages')]).toEqual([
      'complete',
      [{ n: 0 }],
    ]);
  });
});
