// What reports tell of pages that only took another place, of what has no name or path, and of people who share a name.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recipeOf, runQuery } from '../../src/mirror/index.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { createReportedMirror, type ReportedMirror } from '../support/reported-world.ts';
import { takeSnapshot, type Hand } from '../support/snapshots.ts';
import { TestWorld } from '../support/world.ts';

const DAY_MS = 86_400_000;

function answer({ dataDir }: { readonly dataDir: string }, name: string, at: number | null = null): unknown[][] {
  return runQuery(dataDir, recipeOf(name)?.sql ?? '', at).rows;
}

describe('mirror/views/recipes, pages that took another place', () => {
  it('most-edited-pages counts no page as edited since others were put before it: one that nobody touched was the first', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'News');
    await edit(world, space, insert('First news', 'One.'), insert('Edited', 'Once.'));
    await world.sync();
    const { Edited: edited = '' } = await pagesOf(world, space);
    for (const title of ['Second', 'Third', 'Fourth']) {
      await edit(world, space, { type: 'insert_page', title, document: { markdown: title }, at: 0 });
      await world.sync();
    }
    await edit(world, space, { type: 'update_page', page: edited, document: { markdown: 'Twice.' } });
    await world.sync();
    await edit(world, space, {
      type: 'update_page',
      page: edited,
      into: (await pagesOf(world, space))['First news'] ?? '',
    });
    await world.sync();
    const last = [['Edited', 3], ...['First news', 'Fourth', 'Second', 'Third'].map((title) => [title, 1])];
    expect(answer(world, 'most-edited-pages').map(([, ...row]) => row)).toEqual(last);
    expect(answer(world, 'most-edited-pages', 4).map(([, , versions]) => versions)).toEqual([1, 1, 1, 1, 1]);
  });

  it('stale-pages tells since when a page without times is unchanged, whatever came before it: a new sibling made it fresh', async () => {
    using made = await createReportedMirror();
    const seen = (hand: Hand, { text, position }: { text: string; position: number }): void =>
      void hand.see({
        kind: 'page',
        params: { spaceId: 'notes', pageId: 'timeless' },
        body: { id: 'timeless', title: 'Timeless', type: 'document', path: 'timeless' },
        text,
        position,
      });
    const stale = (): unknown[] => answer(made, 'stale-pages').filter(([, title]) => title === 'Timeless');
    takeSnapshot(made.mirror, (hand) => seen(hand, { text: 'Old.', position: 0 }));
    await made.clock.advance(100 * DAY_MS);
    takeSnapshot(made.mirror, (hand) => seen(hand, { text: 'Old.', position: 1 }));
    await made.clock.advance(100 * DAY_MS);
    takeSnapshot(made.mirror, (hand) => seen(hand, { text: 'Old.', position: 2 }));
    expect(stale()).toEqual([['Notes', 'Timeless', 'timeless', '2025-01-09T00:00:00.000Z', 'mirror']]);
    takeSnapshot(made.mirror, (hand) => seen(hand, { text: 'New.', position: 3 }));
    expect(stale()).toEqual([]);
  });
});

describe('mirror/views/recipes, what leads to a file and where a text stands', () => {
  let made: ReportedMirror;

  beforeEach(async () => {
    made = await createReportedMirror();
  });

  afterEach(() => made[Symbol.dispose]());

  function seePage(
    { see }: Hand,
    body: Readonly<Record<string, unknown>> & { readonly id: string },
    text?: string,
  ): void {
    const params = { spaceId: 'guide', pageId: body.id };
    see({ kind: 'page', params, body, ...(text === undefined ? {} : { text }) });
  }

  it('orphan-files lists no file that a link of the table of contents leads to: whoever cleaned up by it took it away', () => {
    takeSnapshot(made.mirror, (hand) => {
      seePage(hand, { id: 'form', type: 'link', title: 'The form', target: { kind: 'file', file: 'orphan' } });
      seePage(hand, { id: 'odd', type: 'link', title: 'Odd', target: 'elsewhere' });
    });
    expect(answer(made, 'orphan-files')).toEqual([]);
    expect(answer(made, 'orphan-files', 2)).toEqual([['Guide', 'orphan.png', 500]]);
  });

  it('duplicates names each place, by its id where it has no path: it told of three copies in two places', () => {
    const text = 'The same words in two places. '.repeat(10);
    takeSnapshot(made.mirror, (hand) => seePage(hand, { id: 'pathless', type: 'document', title: 'Pathless' }, text));
    expect(answer(made, 'duplicates')).toEqual([[3, 'Page old', 'Guide / old; Notes / older; Guide / pathless']]);
  });
});

describe('mirror/views/recipes, people of one name', () => {
  function seeMember({ see }: Hand, id: string, user: Readonly<Record<string, unknown>>): void {
    const params = { organizationId: 'org', userId: id };
    see({
      kind: 'member',
      params,
      body: { object: 'member', id, role: 'read', user: { object: 'user', id, ...user } },
    });
    const space = { object: 'space', id: 'notes' };
    see({ kind: 'space-member', params: { ...params, spaceId: 'notes' }, body: { permission: 'comment', space } });
  }

  it('who-can-see-what tells them apart by their ids, and names those without a name: their rows looked the same', async () => {
    using made = await createReportedMirror();
    takeSnapshot(made.mirror, (hand) => {
      seeMember(hand, 'ann2', { displayName: 'Ann' });
      seeMember(hand, 'mail', { email: 'mail@example.com' });
      seeMember(hand, 'bare', { displayName: null });
    });
    expect(answer(made, 'who-can-see-what')).toEqual([
      ['Ann (ann)', 'Guide', 'read'],
      ['Ann (ann)', 'Notes', 'admin'],
      ['Ann (ann2)', 'Notes', 'comment'],
      ['Bob', 'Guide', 'edit'],
      ['bare', 'Notes', 'comment'],
      ['mail@example.com', 'Notes', 'comment'],
    ]);
  });

  it('contributors tells them apart as well', async () => {
    using made = await createReportedMirror();
    takeSnapshot(made.mirror, ({ see }) => {
      const said = (id: string, postedBy: unknown): void =>
        void see({
          kind: 'comment',
          params: { spaceId: 'notes', commentId: id },
          body: { id, status: 'open', postedBy },
        });
      said('one', { object: 'user', id: 'ann2', displayName: 'Ann' });
      said('two', { object: 'user', id: 'bare' });
      said('three', null);
    });
    expect(answer(made, 'contributors')).toEqual([
      ['Ann (ann)', 3, 0, 3],
      [null, 1, 0, 0],
      ['Ann (ann2)', 1, 0, 0],
      ['Bob', 0, 1, 0],
      ['bare', 1, 0, 0],
    ]);
  });
});
