import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/index.ts';
import { kindNames, viewKinds } from '../../src/contract/index.ts';
import { currentOf, knownOf, mendBodies, move, resolveSnapshot, runQuery } from '../../src/mirror/index.ts';
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
  // SQLite would advise how to drop a view, and say that there is no such table.
  'drop table pages',
  'alter table pages add note',
  'insert into notes values (1)',
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
  `detach database main`,
  `savepoint mine`,
  `analyze`,
  `drop table versions`,
  `alter table versions rename to gone`,
  `create temp table mine (x)`,
  `create trigger mine after insert on versions begin select 1; end`,
  `replace into meta values ('a', 'b')`,
  `pragma writable_schema = on`,
  `pragma main.writable_schema(1)`,
  `pragma temp_store_directory = '/tmp'`,
  `pragma trusted_schema = on`,
  `pragma hard_heap_limit = 1`,
  `pragma user_version(7)`,
  `pragma wal_checkpoint(truncate)`,
  `pragma incremental_vacuum`,
  `pragma locking_mode = exclusive`,
  `pragma optimize`,
  `; attach database 'other.db' as other`,
  `-- select 1\nattach database 'other.db' as other`,
  `/* select 1 */ -- and\n/* more */ delete from resources`,
  `insert into pages_search (pages_search) values ('delete-all')`,
];

/** Functions by which some SQLite reads, writes or starts what is outside of the database. None of them is here. */
const OUTSIDE = [
  `select load_extension('evil.so')`,
  `select load_extension('evil.so', 'init') from pages`,
  `select writefile('copy.db', 'x')`,
  `select readfile('/etc/passwd')`,
  `select edit('x', 'sh')`,
  `select fts3_tokenizer('simple', x'00')`,
  `select * from fsdir('/')`,
  `select * from csv`,
  `select * from pragma_writable_schema(1)`,
  `select * from pragma_query_only(0)`,
  `select * from pragma_journal_mode('delete')`,
  `select * from pragma_optimize(65534)`,
  `update sqlite_dbpage set data = x'00'`,
];

/** What only looks as if it wrote: it is answered, and nothing is changed. */
const HARMLESS = [
  `explain attach database 'other.db' as other`,
  `pragma table_list(5)`,
  `select 1 -- ; delete from resources`,
  `select 'attach' /* ; drop view pages */`,
];

/** More than a value may have, in the ways in which one word asks for it. */
const HUGE = [
  `select zeroblob(1000000000)`,
  `select randomblob(1000000000)`,
  `select printf('%1000000000s', 'x')`,
  `select printf('%300000000s', 'x')`,
  `select group_concat(printf('%200000000s', column1)) from (values (1), (2), (3))`,
];

describe('mirror/views/query', () => {
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

  it.each(['select ?', 'select :name', 'select ?2, $a'])('says that nothing fills the parameter of %s', async (sql) => {
    using made = await threeNights();
    expect(() => runQuery(made.dataDir, sql, null)).toThrowError(
      expect.objectContaining({
        code: 'DM_SQL_INVALID',
        message: expect.stringContaining('The SQL has a parameter') as string,
        hint: expect.stringContaining('Write the value') as string,
      }),
    );
  });

  it('says what may be meant by a name that is not there, and where the names stand: a column sent to the list of tables', async () => {
    using made = await threeNights();
    const expectFailure = (sql: string, told: { message: string; hint: unknown }): void => {
      expect(() => runQuery(made.dataDir, sql, 1)).toThrowError(expect.objectContaining(told));
    };
    expectFailure('select * from main.page', {
      message: 'The SQL could not be run: no such table: main.page (Did you mean pages?)',
      hint: expect.stringContaining('from docs_tables'),
    });
    expectFailure('select p.titel from pages p', {
      message: 'The SQL could not be run: no such column: p.titel (Did you mean title?)',
      hint: expect.stringContaining(`from docs_columns where table_name in ('pages')`),
    });
    expectFailure('select titel', {
      message: 'The SQL could not be run: no such column: titel',
      hint: expect.stringMatching(/from docs_columns"\.$/),
    });
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

describe('mirror/query, asked by somebody who means harm', () => {
  let made: TestMirror;
  beforeAll(async () => {
    made = await threeNights();
  });
  afterAll(() => made[Symbol.dispose]());

  it.each(WRITES)('refuses %s and leaves the mirror as it is', (sql) => {
    const before = rowsOf(made.mirror, 'select * from versions');
    for (const at of [null, 1]) {
      expect(() => runQuery(made.dataDir, sql, at)).toThrowError(expect.objectContaining({ code: 'DM_SQL_REFUSED' }));
    }
    expect(rowsOf(made.mirror, 'select * from versions')).toEqual(before);
  });

  it.each(OUTSIDE)('has no function for %s', (sql) => {
    const code = expect.stringMatching(/^DM_SQL_(INVALID|REFUSED)$/) as string;
    expect(() => runQuery(made.dataDir, sql, null)).toThrowError(expect.objectContaining({ code }));
  });

  it('changes no byte of the data directory, whatever it is asked', () => {
    made.mirror.store.driver.pragma('wal_checkpoint(truncate)');
    const bytes = () =>
      readdirSync(made.dataDir, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
        .map(({ parentPath, name }) => [name, sha256(readFileSync(join(parentPath, name)))]);
    const before = bytes();
    for (const sql of HARMLESS) expect(() => runQuery(made.dataDir, sql, null), sql).not.toThrow();
    for (const sql of [...WRITES, ...OUTSIDE]) expect(() => runQuery(made.dataDir, sql, null), sql).toThrow();
    expect(bytes()).toEqual(before);
    for (const name of ['other.db', 'copy.db']) expect(existsSync(name), name).toBe(false);
  });

  it.each(HUGE)('refuses %s and lives on', (sql) => {
    expect(() => runQuery(made.dataDir, sql, null)).toThrowError(expect.objectContaining({ code: 'DM_SQL_INVALID' }));
    expect(runQuery(made.dataDir, 'select 1', null).rows).toEqual([[1]]);
  });

  it('refuses a second statement behind the condition of a restore as it does its own', () => {
    const sql = `select * from pages where (1); delete from resources; --)`;
    expect(() => runQuery(made.dataDir, sql, 2)).toThrowError(expect.objectContaining({ code: 'DM_SQL_INVALID' }));
    expect(rowsOf(made.mirror, 'select count(*) as n from resources')).toEqual([{ n: 3 }]);
  });
});

describe('mirror/views/views', () => {
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

describe('mirror/search/search', () => {
  const found = (made: TestMirror, word: string) =>
    runQuery(made.dataDir, `select id from pages_search where pages_search match '${word}'`, null).rows.flat();

  it('finds the words of the last sealed snapshot and no others', async () => {
    using made = await threeNights();
    expect([found(made, 'gamma'), found(made, 'alpha'), found(made, 'uber')]).toEqual([['p1'], [], []]);
    takeSnapshot(made.mirror, ({ see }) => see(page('p2', 'alpha is back')));
    expect(found(made, 'alpha')).toEqual(['p2']);
  });

  it.each(['read-only', "it''s", 'a"b', 'c++', '*'])(
    'says how to write the words %s: it missed a column, and sent to the list of tables',
    async (words) => {
      using made = await threeNights();
      const ask = (match: string): unknown[][] =>
        runQuery(made.dataDir, `select count(*) from pages_search where pages_search match '${match}'`, null).rows;
      const said = { code: 'DM_SQL_INVALID', hint: expect.stringContaining(`match '"read-only"'`) as string };
      expect(() => ask(words)).toThrowError(expect.objectContaining(said));
      expect(ask(`"${words.replace('"', '""')}"`)).toHaveLength(1);
    },
  );

  it('folds accents and shows title and text', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', 'alpha über beta', { title: 'Anfang' })));
    const sql = `select title, markdown, space from pages_search where pages_search match 'uber'`;
    expect(runQuery(made.dataDir, sql, null).rows).toEqual([['Anfang', 'alpha über beta', 's1']]);
  });

  it('finds nothing any more by the words of a text that was damaged before it was superseded', async () => {
    using made = await threeNights();
    made.mirror.store.driver.exec(`update bodies set data = 'delta epsilon zeta eta' where data = 'gamma'`);
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', 'theta')));
    expect([found(made, 'gamma'), found(made, 'epsilon'), found(made, 'theta')]).toEqual([[], [], ['p1']]);
  });

  it('finds by its own words what was added while it was damaged, once it is put right', async () => {
    using made = await createTestMirror();
    const seen = page('p1', 'alpha', { title: 'Anfang' });
    takeSnapshot(made.mirror, ({ see }) => see(seen));
    made.mirror.store.driver.exec(`update bodies set data = 'x' || data`);
    takeSnapshot(made.mirror, ({ id }) => {
      const known = currentOf(made.mirror, 'page', 's1/p1');
      if (known) move({ mirror: made.mirror, id }, known, { parent: null, position: 1 });
    });
    expect(found(made, 'anfang')).toEqual([]);
    takeSnapshot(made.mirror, () => mendBodies(made.mirror, knownOf(made.mirror, seen), { ...seen, scope: null }));
    expect([found(made, 'anfang'), found(made, 'alpha'), found(made, 'xalpha')]).toEqual([['p1'], ['p1'], []]);
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
