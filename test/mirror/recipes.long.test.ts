import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recipeOf, recipes, runQuery } from '../../src/mirror/index.ts';
import { readReport } from '../../src/status/index.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { createReportedMirror, type ReportedMirror } from '../support/reported-world.ts';
import { rowsOf } from '../support/state.ts';
import { page, takeSnapshot, type Hand } from '../support/snapshots.ts';
import { TestWorld } from '../support/world.ts';

let made: ReportedMirror;

beforeAll(async () => {
  made = await createReportedMirror();
});

afterAll(() => made[Symbol.dispose]());

function rows(name: string, at: number | null = null): unknown[][] {
  return runQuery(made.dataDir, recipeOf(name)?.sql ?? '', at).rows;
}

function dangling(other: ReportedMirror, at: number | null = null): unknown[][] {
  return runQuery(other.dataDir, recipeOf('dangling-references')?.sql ?? '', at).rows;
}

/** Takes a resource out of the mirror and leaves what lies in it, as only damage does. */
function lose({ mirror }: ReportedMirror, kind: string, key: string): void {
  const sql = 'delete from versions where rid = (select rid from resources where kind = ? and key = ?)';
  expect(mirror.store.prepare(sql).run(kind, key).changes).toBe(1);
}

/** What each recipe answers at the last snapshot. */
const known: Readonly<Record<string, unknown[][]>> = {
  'stale-pages': [
    ['Notes', 'Page older', 'older', '2023-01-01T00:00:00.000Z', 'platform'],
    ['Guide', 'Page old', 'old', '2024-01-01T00:00:00.000Z', 'platform'],
  ],
  'broken-links': [['Guide', 1]],
  'broken-link-trend': [
    [1, '2025-01-01T00:00:00.000Z', 2],
    [2, '2025-01-09T00:00:00.000Z', 1],
  ],
  'orphan-files': [['Guide', 'orphan.png', 500]],
  'largest-spaces': [
    ['Guide', 3, 328, 510],
    ['Notes', 1, 300, 20],
  ],
  'who-can-see-what': [
    ['Ann', 'Guide', 'read'],
    ['Ann', 'Notes', 'admin'],
    ['Bob', 'Guide', 'edit'],
  ],
  'change-request-age': [
    ['Guide', 1, 'Change one', 'open', 'Ann', 30],
    ['Guide', 2, 'Change two', 'draft', 'Ann', 10],
  ],
  'comment-backlog': [['Guide', 2, 20]],
  'pages-without-description': [
    ['Guide', 'Page added', 'added'],
    ['Guide', 'Page start', 'start'],
    ['Notes', 'Page older', 'older'],
  ],
  duplicates: [[2, 'Page old', 'Guide / old; Notes / older']],
  'growth-per-week': [
    ['2024-11-25', 0, 1],
    ['2024-12-16', 0, 1],
    ['2024-12-23', 0, 1],
    ['2024-12-30', 4, 0],
    ['2025-01-06', 1, 0],
  ],
  'most-edited-pages': [
    ['Guide', 'Page start', 2],
    ['Guide', 'Page added', 1],
    ['Guide', 'Page old', 1],
    ['Notes', 'Page older', 1],
  ],
  'spaces-without-site': [['Notes', 'private']],
  contributors: [
    ['Ann', 3, 0, 3],
    ['Bob', 0, 1, 0],
  ],
  'dangling-references': [],
};

describe('mirror/views/recipes', () => {
  it('has a known answer for each recipe', () => {
    expect(Object.keys(known).toSorted()).toEqual(recipes.map(({ name }) => name).toSorted());
  });

  it.each(Object.entries(known))('%s answers what is known', (name, answer) => {
    expect(rows(name)).toEqual(answer);
  });

  it('counts ages from the snapshot that is shown, not from today', () => {
    expect(rows('comment-backlog', 1)).toEqual([['Guide', 2, 12]]);
    expect(rows('change-request-age', 1).map((row) => row.at(-1))).toEqual([22, 2]);
    expect(rows('broken-link-trend', 1)).toEqual([[1, '2025-01-01T00:00:00.000Z', 2]]);
    expect(rows('growth-per-week', 1).at(-1)).toEqual(['2024-12-30', 4, 0]);
  });

  it.each([404, 501])(
    'tells no number of broken links where a platform lists none of its links (%i): it told 0 each night',
    async (status) => {
      await using world = await TestWorld.create();
      await addSpace(world, 'Guide');
      const trend = (): unknown[] =>
        runQuery(world.dataDir, recipeOf('broken-link-trend')?.sql ?? '', null).rows.map(([, , broken]) => broken);
      const nights = (): unknown[] => readReport(world.mirror)?.nights.map(({ brokenLinks }) => brokenLinks) ?? [];
      world.platform.faults = [{ operation: 'listSpaceLinks', effect: { status } }];
      await world.sync();
      await world.sync({ acceptRights: true });
      const { snapshot } = await world.sync();
      expect([snapshot.state, trend(), nights()]).toEqual(['complete', [null, null, null], [null, null, null]]);
      world.platform.faults = [];
      await world.sync({ mode: 'full' });
      expect(trend()).toEqual([null, null, null, 0]);
      expect(nights()).toEqual([null, null, null, 0]);
    },
  );

  it('tells the same number of broken links as the report where links were read before, and none is left: the report told none', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    await edit(world, space, insert('Home', 'See [it](https://elsewhere.test).'));
    await world.sync();
    const { Home = '' } = await pagesOf(world, space);
    await edit(world, space, { type: 'update_page', page: Home, document: { markdown: 'No link.' } });
    await world.sync();
    world.platform.faults = [{ operation: 'listSpaceLinks', effect: { status: 500 } }];
    expect((await world.sync({ mode: 'full' })).snapshot.state).toBe('partial');
    const { rows: trend } = runQuery(world.dataDir, recipeOf('broken-link-trend')?.sql ?? '', null);
    expect(trend.map(([, , broken]) => broken)).toEqual([0, 0, 0]);
    expect(readReport(world.mirror)?.nights.map(({ brokenLinks }) => brokenLinks)).toEqual([0, 0, 0]);
  });

  it('lies in the database too, and runs there without Docmirror', () => {
    const kept = rowsOf(made.mirror, 'select name, about, sql from docs_recipes order by name');
    expect(kept).toEqual(recipes.map((one) => ({ ...one })).toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  });

  it('names a reference that leads to nothing', async () => {
    using other = await createReportedMirror();
    takeSnapshot(other.mirror, ({ bury }) => bury('page', 'guide/start'));
    lose(other, 'space', 'notes');
    expect(dangling(other)).toEqual([
      ['comments', 'page', 'pages, change_request_pages', 3, 'start'],
      ['files', 'space', 'spaces', 1, 'notes'],
      ['pages', 'space', 'spaces', 1, 'notes'],
      ['space_members', 'space', 'spaces', 1, 'notes'],
    ]);
  });

  it('names a reference to a page that only another space has, at the snapshots in which it leads to nothing', async () => {
    using other = await createReportedMirror();
    takeSnapshot(other.mirror, ({ bury, see }) => {
      bury('page', 'guide/start');
      see(page('start', 'The page of another space.'));
    });
    const toPages = (at: number | null): unknown[][] =>
      dangling(other, at).filter(([, , target]) => target !== 'spaces');
    expect(toPages(null)).toEqual([['comments', 'page', 'pages, change_request_pages', 3, 'start']]);
    expect(toPages(2)).toEqual([]);
  });

  it('names a page below one that is not there, at the snapshots in which it is not', async () => {
    using other = await createReportedMirror();
    takeSnapshot(other.mirror, ({ see }) =>
      see({ ...page('above', 'A.'), params: { spaceId: 'guide', pageId: 'above' } }),
    );
    takeSnapshot(other.mirror, ({ see }) => {
      const parent = see({ ...page('above', 'A.'), params: { spaceId: 'guide', pageId: 'above' } });
      see({ ...page('below', 'B.'), params: { spaceId: 'guide', pageId: 'below' }, parent });
    });
    const { id } = takeSnapshot(other.mirror, ({ bury }) => bury('page', 'guide/above'));
    expect(dangling(other)).toEqual([['pages', 'parent', 'pages', 1, 'above']]);
    expect(dangling(other, id - 1)).toEqual([]);
  });

  it('finds the comment of a reply in its change request: it looked for it in the space alone', async () => {
    using other = await createReportedMirror();
    const params = { spaceId: 'guide', changeRequestId: 'open', commentId: 'asked' };
    takeSnapshot(other.mirror, ({ see }) => {
      see({ kind: 'change-request', params: { spaceId: 'guide', changeRequestId: 'open' }, body: { id: 'open' } });
      see({ kind: 'change-request-comment', params, body: { id: 'asked' } });
      see({
        kind: 'change-request-comment-reply',
        params: { ...params, commentReplyId: 'said' },
        body: { id: 'said' },
      });
    });
    expect(dangling(other)).toEqual([]);
    lose(other, 'change-request-comment', 'guide/open/asked');
    expect(dangling(other)).toEqual([['comment_replies', 'change_request_comment', 'comments', 1, 'asked']]);
  });

  it('counts a page that went and came back as grown once', async () => {
    using other = await createReportedMirror();
    const growth = (): unknown => {
      const { rows: weeks } = runQuery(other.dataDir, recipeOf('growth-per-week')?.sql ?? '', null);
      return weeks.reduce((sum, [, pages]) => sum + Number(pages), 0);
    };
    takeSnapshot(other.mirror, ({ see }) => see(page('back', 'Text.')));
    const before = growth();
    takeSnapshot(other.mirror, ({ bury }) => bury('page', 's1/back'));
    takeSnapshot(other.mirror, ({ see }) => see(page('back', 'Text.')));
    expect(growth()).toBe(before);
  });

  it('tells two people of one name apart, and keeps one who took another name together: the one were counted as one, the other as two', async () => {
    using other = await createReportedMirror();
    const seeComment = ({ see }: Hand, commentId: string, postedBy: object): number =>
      see({
        kind: 'comment',
        params: { spaceId: 'guide', commentId },
        body: { id: commentId, postedBy, postedAt: '2025-01-10T00:00:00.000Z' },
      });
    takeSnapshot(other.mirror, (hand) => {
      seeComment(hand, 'of-namesake', { id: 'another', displayName: 'Bob' });
      seeComment(hand, 'renamed', { id: 'bob', displayName: 'Bob Oak' });
      seeComment(hand, 'nameless', { displayName: 'Somebody' });
    });
    const { rows: people } = runQuery(other.dataDir, recipeOf('contributors')?.sql ?? '', null);
    expect(people).toEqual([
      ['Ann', 3, 0, 3],
      ['Bob Oak', 1, 1, 0],
      ['Bob', 1, 0, 0],
      ['Somebody', 1, 0, 0],
    ]);
  });

  it('finds the same text below another title, which stands in the text as its heading: it took these for two texts', async () => {
    using other = await createReportedMirror();
    const seeCopy = ({ see }: Hand, id: string, own: string): number => {
      const body = { id, title: `About ${id}`, path: id, type: 'document' };
      return see({ kind: 'page', params: { spaceId: 'guide', pageId: id }, body, text: `# About ${id}\n\n${own}` });
    };
    const words = 'Words that were written twice. '.repeat(9);
    takeSnapshot(other.mirror, (hand) => {
      seeCopy(hand, 'one', words);
      seeCopy(hand, 'copy', words);
      seeCopy(hand, 'other', `${words}And more.`);
      for (const short of ['short', 'brief']) seeCopy(hand, short, 'Too little to be told.');
    });
    const { rows: found } = runQuery(other.dataDir, recipeOf('duplicates')?.sql ?? '', null);
    expect(found).toContainEqual([
      2,
      'About copy',
      expect.stringMatching(/^Guide \/ (one; Guide \/ copy|copy; Guide \/ one)$/),
    ]);
    expect(found).toHaveLength(2);
  });

  it('counts a comment that was deleted among those that appeared, as it does a page: README says so, and it was left out', async () => {
    using other = await createReportedMirror();
    const growth = (): unknown[][] => runQuery(other.dataDir, recipeOf('growth-per-week')?.sql ?? '', null).rows;
    const params = { spaceId: 'guide', commentId: 'late' };
    const body = { id: 'late', status: 'open', postedAt: '2025-01-08T12:00:00.000Z' };
    takeSnapshot(other.mirror, ({ see }) => see({ kind: 'comment', params, body }));
    takeSnapshot(other.mirror, ({ see }) => see({ kind: 'comment', params, body: { ...body, status: 'resolved' } }));
    const before = growth();
    expect(before.at(-1)).toEqual(['2025-01-06', 1, 1]);
    takeSnapshot(other.mirror, ({ bury }) => bury('comment', 'guide/late'));
    expect(growth()).toEqual(before);
    const inAnyTool = rowsOf(other.mirror, `select * from (${recipeOf('growth-per-week')?.sql})`);
    expect(inAnyTool.at(-1)).toEqual({ week: '2025-01-06', new_pages: 1, new_comments: 1 });
  });

  it('lists the most edited pages although pages that are gone had more versions: these took the places of all others', async () => {
    using other = await createReportedMirror();
    const each = (number: number): number[] => Array.from({ length: number }, (_, n) => n);
    for (const version of each(3))
      takeSnapshot(other.mirror, ({ see }) => each(50).map((n) => see(page(`gone${n}`, `Version ${version}.`))));
    takeSnapshot(other.mirror, ({ bury }) => each(50).map((n) => bury('page', `s1/gone${n}`)));
    const { rows: edited } = runQuery(other.dataDir, recipeOf('most-edited-pages')?.sql ?? '', null);
    expect(edited).toEqual(known['most-edited-pages']);
  });

  it('looks members up by their ids in who-can-see-what: for each space that somebody sees it went through all of them', () => {
    const plan = rowsOf(made.mirror, `explain query plan ${recipeOf('who-can-see-what')?.sql}`);
    const steps = plan.map(({ detail }) => detail);
    expect(steps).toContainEqual(expect.stringMatching(/^SEARCH m USING .*INDEX \(id=\?/));
  });
});
