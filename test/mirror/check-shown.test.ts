// What people look through: the full-text index and the views. Neither is in a manifest, and both can be made anew.
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { checkMirror, mendDefinitions, openSnapshot, type Mirror } from '../../src/mirror/index.ts';
import { mendSearch } from '../../src/mirror/check/search-index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { fill, page, takeSnapshot, type Hand } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

const COMMENTS = ['comment', 'change-request-comment', 'comment-reply', 'change-request-comment-reply'] as const;
const ids = { spaceId: 's1', changeRequestId: 'cr', commentId: 'c', commentReplyId: 'r' };

function seeComments({ see }: Hand): void {
  for (const kind of COMMENTS) see({ kind, params: ids, body: { id: kind, body: { markdown: `words of ${kind}` } } });
}

async function searched(): Promise<TestMirror> {
  const made = await createTestMirror();
  takeSnapshot(made.mirror, (hand) => {
    for (const id of ['a', 'b', 'c']) hand.see(page(id, `words of ${id}`));
    seeComments(hand);
  });
  takeSnapshot(made.mirror, ({ see, bury }) => void [see(page('a', 'other words')), bury('page', 's1/b')]);
  return made;
}

async function problems(mirror: Mirror): Promise<string[]> {
  const { problems: found } = await checkMirror(mirror, { readData: false });
  return found.map(({ what, which, problem }) => `${what} ${which}: ${problem}`);
}

const hits = (mirror: Mirror, table: string) =>
  rowsOf(mirror, `select count(*) as n from ${table} where ${table} match 'words'`)[0]?.['n'];

describe('mirror/check/search-index', () => {
  it('finds nothing wrong while a walk is under way whose pages are not indexed yet', async () => {
    using made = await searched();
    const { mirror } = made;
    const id = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
    fill(
      mirror,
      id,
      ({ see, bury }) => void [see(page('a', 'more words')), see(page('d', 'new')), bury('page', 's1/c')],
    );
    expect(await problems(mirror)).toEqual([]);
  });

  it.each([
    ['pages_search', 2],
    ['comments_search', COMMENTS.length],
  ])(
    'names %s when it was emptied, and has it made anew: searches found nothing, and check passed',
    async (table, count) => {
      using made = await searched();
      const { mirror } = made;
      expect(hits(mirror, table)).toBe(count);
      mirror.store.driver.exec(`insert into ${table} (${table}) values ('delete-all')`);
      expect(hits(mirror, table)).toBe(0);
      expect(await problems(mirror)).toEqual([
        `search ${table}: ${count} texts of the last snapshot not in it; docmirror sync --full makes it anew`,
      ]);
      atOnce(mendSearch(mirror));
      takeSnapshot(mirror, () => undefined);
      expect([hits(mirror, table), await problems(mirror)]).toEqual([count, []]);
    },
  );

  it('names the table that has in it what the last snapshot does not show, and one that is not there at all', async () => {
    using made = await searched();
    const { driver } = made.mirror.store;
    driver.exec(
      `insert into pages_search (rowid, markdown) values (77, 'never written by anybody'), (77077, 'nor this')`,
    );
    driver.exec('drop table comments_search');
    expect(await problems(made.mirror)).toEqual([
      'search pages_search: 2 texts in it that the last snapshot does not show; docmirror sync --full makes it anew',
      'view comments_search: missing; docmirror sync --full makes it anew',
    ]);
  });

  it.each([
    ['text', `update bodies set data = 'broken' where data = 'words of c'`, 'words'],
    ['title', `update bodies set data = replace(data, '"Elder"', '"Eldest"') where data like '%"Elder"%'`, 'elder'],
  ])(
    'keeps no word of a page that was edited after its %s was damaged: it was found by what it no longer has',
    async (_, damage, word) => {
      using made = await searched();
      const { mirror } = made;
      takeSnapshot(mirror, ({ see }) => see(page('c', 'words of c', { title: 'Elder' })));
      const found = () => rowsOf(mirror, 'select id from pages_search where pages_search match ? order by id', word);
      expect(found()).toContainEqual({ id: 'c' });
      expect(mirror.store.driver.prepare(damage).run().changes).toBeGreaterThan(0);
      takeSnapshot(mirror, ({ see }) => see(page('c', 'plain', { title: 'Renamed' })));
      expect(rowsOf(mirror, 'select count(*) as n from pages_search where pages_search match ?', word)).toEqual([
        { n: word === 'words' ? 1 : 0 },
      ]);
      expect(found()).not.toContainEqual({ id: 'c' });
    },
  );

  it('finds the words of a text again that was put right after the index took it in damaged: they stayed lost', async () => {
    using made = await searched();
    const { mirror } = made;
    mirror.store.driver.exec(`update bodies set data = 'broken' where data in ('words of c', 'other words')`);
    takeSnapshot(mirror, ({ see }) => see(page('a', 'plain')));
    expect(hits(mirror, 'pages_search')).toBe(0);
    takeSnapshot(mirror, ({ see }) => see(page('d', 'words of c')));
    expect(hits(mirror, 'pages_search')).toBe(2);
  });

  it('leaves an index that is whole to grow as it does', async () => {
    using made = await searched();
    atOnce(mendSearch(made.mirror));
    expect(rowsOf(made.mirror, `select name from meta where name = 'search_doubted'`)).toEqual([]);
  });
});

describe('mirror/check/definitions', () => {
  it('names a view that somebody has put another in the place of, or taken away: it showed what was never there', async () => {
    using made = await searched();
    made.mirror.store.driver.exec(
      'drop view pages; create view pages as select 1 as id; drop view spaces_history; create view own as select 1',
    );
    expect(await problems(made.mirror)).toEqual([
      'view pages: is not what this program makes of it; docmirror sync --full makes it anew',
      'view spaces_history: missing; docmirror sync --full makes it anew',
    ]);
  });

  it('names a table of descriptions or saved reports that holds something else: people copy what stands there', async () => {
    using made = await searched();
    const { mirror } = made;
    mirror.store.driver.exec(
      `update docs_recipes set sql = 'select 1' where name = 'stale-pages'; delete from docs_columns; drop table docs_tables`,
    );
    const anew = 'docmirror sync --full makes it anew';
    expect(await problems(mirror)).toEqual([
      `view docs_columns: is not what this program makes of it; ${anew}`,
      `view docs_recipes: is not what this program makes of it; ${anew}`,
      `view docs_tables: missing; ${anew}`,
    ]);
    await mendDefinitions(mirror);
    expect(await problems(mirror)).toEqual([]);
  });

  it('leaves to the next walk the views that another program has made', async () => {
    using made = await searched();
    const { driver } = made.mirror.store;
    driver.exec(
      `drop view pages; create view pages as select 1 as id; update meta set value = 'x' where name = 'views'`,
    );
    expect(await problems(made.mirror)).toEqual([]);
  });
});
