import { describe, expect, it } from 'vitest';
import { kindNames, viewKinds } from '../../src/contract/index.ts';
import { resolveSnapshot, runQuery } from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { collection, page, takeSnapshot } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

async function threeNights(): Promise<TestMirror> {
  const made = await createTestMirror();
  takeSnapshot(made.mirror, ({ see }) => {
    see(collection('c1', { title: 'First' }));
    see(page('p1', 'alpha über beta'));
  });
  takeSnapshot(made.mirror, ({ see }) => {
    see(collection('c1', { title: 'Second' }));
    see(page('p1', 'gamma'));
    see(page('p2', 'alpha again'));
  });
  takeSnapshot(made.mirror, ({ bury }) => bury('page', 's1/p2'));
  return made;
}

const WRITES = [
  'delete from pages',
  "update spaces set title = 'x'",
  `delete from resources`,
  `insert into meta values ('a', 'b') returning *`,
  `with gone as (select 1) delete from versions`,
  `update versions set object = 'x' returning vid`,
  `drop view pages`,
  `create table mine (x)`,
  `attach database 'other.db' as other`,
  `vacuum into 'copy.db'`,
  `pragma user_version = 7`,
  `pragma journal_mode = delete`,
  `pragma query_only = off`,
  `pragma writable_schema`,
  `/* harmless */ pragma query_only(0)`,
  `-- harmless\npragma foreign_keys = off`,
  `insert into pages_search (pages_search) values ('rebuild')`,
  `begin immediate`,
  `reindex`,
];

describe('mirror/query', () => {
  it.each(WRITES)('refuses %s and leaves the mirror as it is', async (sql) => {
    using made = await threeNights();
    const before = rowsOf(made.mirror, 'select * from versions');
    for (const at of [null, 1]) {
      expect(() => runQuery(made.dataDir, sql, at)).toThrowError(expect.objectContaining({ code: 'DM_SQL_REFUSED' }));
    }
    expect(rowsOf(made.mirror, 'select * from versions')).toEqual(before);
  });

  it('refuses several statements at once', async () => {
    using made = await threeNights();
    const sql = 'select 1; delete from resources';
    expect(() => runQuery(made.dataDir, sql, null)).toThrowError(expect.objectContaining({ code: 'DM_SQL_INVALID' }));
    expect(rowsOf(made.mirror, 'select count(*) as n from resources')).toEqual([{ n: 3 }]);
  });

  it('names what is wrong with SQL that cannot be run', async () => {
    using made = await threeNights();
    expect(() => runQuery(made.dataDir, 'select x from nowhere', null)).toThrow(/no such table: nowhere/);
  });

  it('reads with SELECT, WITH, VALUES, EXPLAIN and a reading PRAGMA', async () => {
    using made = await threeNights();
    const reading = [
      'select 1',
      'with a as (select 1) select * from a',
      'values (1)',
      'explain select 1',
      'pragma table_info(pages)',
    ];
    for (const sql of reading) expect(runQuery(made.dataDir, sql, null).rows.length, sql).toBeGreaterThan(0);
  });

  it('shows every view as it stood at a snapshot', async () => {
    using made = await threeNights();
    const titles = (at: number | null) => runQuery(made.dataDir, 'select title from collections', at).rows.flat();
    expect([titles(1), titles(2), titles(null)]).toEqual([['First'], ['Second'], ['Second']]);
    const pages = (at: number | null) => runQuery(made.dataDir, 'select id, markdown from pages order by id', at).rows;
    expect(pages(1)).toEqual([['p1', 'alpha über beta']]);
    expect(pages(2)).toHaveLength(2);
    expect(pages(null)).toEqual([['p1', 'gamma']]);
  });

  it('finds a snapshot by number, latest, time and date', async () => {
    using made = await threeNights();
    const specs = ['2', 2, 'latest', '2025-01-01', '2025-01-01T00:00:00Z', '2026-05-05T10:00:00+02:00'];
    expect(specs.map((spec) => resolveSnapshot(made.mirror, spec).id)).toEqual([2, 2, 3, 3, 3, 3]);
    for (const spec of ['9', 'yesterday', '2024-12-31', '-1', '']) {
      expect(() => resolveSnapshot(made.mirror, spec)).toThrowError(
        expect.objectContaining({ code: 'DM_SNAPSHOT_UNKNOWN' }),
      );
    }
  });
});

describe('mirror/views', () => {
  it('has a view, its history and its dictionary entry for every kind', async () => {
    using made = await threeNights();
    const views = [...viewKinds().keys()];
    expect([...viewKinds().values()].flat().toSorted()).toEqual([...kindNames].toSorted());
    const described = rowsOf(made.mirror, 'select name from docs_tables').map(({ name }) => name);
    for (const view of views) {
      const columns = runQuery(made.dataDir, `select * from ${view}`, null).columns;
      expect(columns, view).toEqual(expect.arrayContaining(['id', 'raw']));
      expect(new Set(columns).size, view).toBe(columns.length);
      const history = runQuery(made.dataDir, `select * from ${view}_history`, null).columns;
      expect(history).toEqual([...columns, 'valid_from', 'valid_to', 'valid_from_at', 'valid_to_at']);
      expect(described).toEqual(expect.arrayContaining([view, `${view}_history`]));
      const documented = rowsOf(made.mirror, 'select name from docs_columns where table_name = ?', view);
      expect(new Set(documented.map(({ name }) => name)), view).toEqual(new Set(columns));
    }
  });

  it('keeps the JSON as it was sent, unknown fields included', async () => {
    using made = await createTestMirror();
    const body = {
      object: 'collection',
      id: 'c1',
      title: 'A',
      defaultLevel: 'something-new',
      extra: { of: ['tomorrow'] },
    };
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', body)));
    const [row] = runQuery(made.dataDir, 'select raw, default_level from collections', null).rows;
    expect(row).toEqual([JSON.stringify(body), 'something-new']);
  });
});

describe('mirror/search', () => {
  const found = (made: TestMirror, word: string) =>
    runQuery(made.dataDir, `select id from pages_search where pages_search match '${word}'`, null).rows.flat();

  it('finds the words of the last sealed snapshot and no others', async () => {
    using made = await threeNights();
    expect([found(made, 'gamma'), found(made, 'alpha'), found(made, 'uber')]).toEqual([['p1'], [], []]);
    takeSnapshot(made.mirror, ({ see }) => see(page('p2', 'alpha is back')));
    expect(found(made, 'alpha')).toEqual(['p2']);
  });

  it('folds accents and shows title and text', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', 'alpha über beta', { title: 'Anfang' })));
    const sql = `select title, markdown, space from pages_search where pages_search match 'uber'`;
    expect(runQuery(made.dataDir, sql, null).rows).toEqual([['Anfang', 'alpha über beta', 's1']]);
  });

  it('does not show what an open walk has seen', async () => {
    using made = await threeNights();
    takeSnapshot(made.mirror, ({ see }) => {
      see(page('p3', 'delta'));
      expect(found(made, 'delta')).toEqual([]);
    });
    expect(found(made, 'delta')).toEqual(['p3']);
  });
});
