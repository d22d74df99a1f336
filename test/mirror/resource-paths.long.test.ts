import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kindNames, viewKinds, type KindName } from '../../src/contract/index.ts';
import { atOnce, manualClock, openSqlite } from '../../src/base/index.ts';
import {
  checkMirror,
  databasePath,
  diffSnapshots,
  mendPaths,
  openMirror,
  readerAt,
  recipes,
  runQuery,
} from '../../src/mirror/index.ts';
import { paramsOf } from '../../src/mirror/observe/key.ts';
import { mirrorMigrations } from '../../src/mirror/database/migrations.ts';
import { reportViews } from '../../src/mirror/views/report-views.ts';
import { testFolder } from '../support/cli.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { createReportedMirror } from '../support/reported-world.ts';
import { rowsOf } from '../support/state.ts';

/** As a bad sector leaves it: no JSON any more. */
const CUT = `update resources set params = substr(params, 1, 9)`;

/** The schema up to a version, as an earlier program left it. */
const upTo = (version: number): Record<number, string> =>
  Object.fromEntries(Object.entries(mirrorMigrations).filter(([step]) => Number(step) <= version));

describe('mirror/check/resource-paths', () => {
  it('end no query, look or comparison where they are damaged, and check names them', async () => {
    using made = await createReportedMirror();
    const { mirror, dataDir } = made;
    const views = [...viewKinds().keys()].flatMap((view) => [view, `${view}_history`]);
    const all = [...views, ...reportViews.map(({ name }) => name), 'pages_search', 'comments_search'];
    const counted = () => all.map((view) => [view, runQuery(dataDir, `select * from ${view}`, null).rows.length]);
    const held = () => kindNames.map((kind) => [...readerAt(mirror, 2).resources(kind)]);
    const before = [counted(), held()];
    mirror.store.driver.exec(CUT);
    expect([counted(), held()]).toEqual(before);
    for (const { sql } of recipes) expect(() => runQuery(dataDir, sql, null)).not.toThrow();
    expect([...diffSnapshots(mirror, [1, 2])]).not.toEqual([]);
    const { problems } = await checkMirror(mirror, { readData: false });
    expect(problems).toContainEqual({
      what: 'reference',
      which: expect.stringContaining('(page guide/added)') as string,
      problem: 'its path is not that of its key',
    });
  });

  it('are put right by a full walk, a space that stands wrong too; and no walk in between ends by them', async () => {
    await using world = await furnishedWorld();
    await world.sync();
    const { mirror } = world;
    const paths = () => rowsOf(mirror, 'select rid, kind, key, params, space from resources order by rid');
    const before = paths();
    for (const { kind, key, params, space } of before) {
      const expected = paramsOf(kind as KindName, String(key));
      expect([JSON.parse(String(params)), space]).toEqual([expected, expected['spaceId'] ?? null]);
    }
    mirror.store.driver.exec(`${CUT}; update resources set space = 'another' where kind = 'page'`);
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect((await checkMirror(mirror, { readData: false })).problems).toHaveLength(before.length);
    expect((await world.sync({ mode: 'full' })).snapshot.state).toBe('complete');
    expect(paths()).toEqual(before);
    expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
  });

  it('are named where an id or the place is not that of the key, of which check said nothing; ids are put right', async () => {
    using made = await createReportedMirror();
    const { mirror } = made;
    const ids = () => rowsOf(mirror, 'select rid, id from resources order by rid');
    const before = ids();
    const page = `where kind = 'page' and key = 'guide/added'`;
    mirror.store.driver.exec(`update resources set id = 'forged' ${page}`);
    mirror.store.driver.exec(
      `update resources set scope = (select rid from resources where kind = 'space' and key = 'notes') where kind = 'page' and key = 'guide/start'`,
    );
    const told = async () =>
      (await checkMirror(mirror, { readData: false })).problems.map(
        ({ which, problem }) => `${which.replace(/^resources \d+ /, '')}: ${problem}`,
      );
    const place = '(page guide/start): what it stands below is not in its key';
    expect((await told()).toSorted()).toEqual(['(page guide/added): its id is not that of its key', place]);
    atOnce(mendPaths(mirror));
    expect([await told(), ids()]).toEqual([[place], before]);
    // The id and the parameters are all that says what it was.
    mirror.store.driver.exec(`update resources set key = 'guide/forged' ${page}`);
    atOnce(mendPaths(mirror));
    expect(ids()).toEqual(before);
  });

  it('are looked for by a full walk in pieces: of a large mirror it let nobody have a turn for seconds when it began', async () => {
    using made = await createReportedMirror();
    made.mirror.store.driver.exec(CUT);
    const params = () => rowsOf(made.mirror, 'select params from resources order by rid');
    const before = params();
    const mending = mendPaths(made.mirror);
    expect([mending.next().done, params()]).toEqual([false, before]);
    atOnce(mending);
    expect(params()).not.toEqual(before);
  });

  it('keep no mirror of an earlier program from being taken over, in which they were damaged', async () => {
    using folder = testFolder();
    const path = databasePath(folder.path);
    {
      using store = openSqlite({ path, name: 'the mirror', migrations: upTo(3) });
      const add = store.driver.prepare('insert into resources (kind, key, id, params) values (?, ?, ?, ?)');
      for (const id of ['a', 'b']) add.run('page', `s/${id}`, id, JSON.stringify({ spaceId: 's', pageId: id }));
      add.run('team', 'o/t', 't', JSON.stringify({ organizationId: 'o', teamId: 't' }));
      store.driver.exec('create view former as select r.rid, r.space from resources r');
    }
    // No statement could do this to a row whose space was computed.
    const bytes = readFileSync(path);
    bytes.write('#', bytes.indexOf('{"spaceId":"s","pageId":"b"}'));
    writeFileSync(path, bytes);
    using mirror = await openMirror({ dataDir: folder.path, clock: manualClock(Date.UTC(2025, 0, 1)) });
    expect(rowsOf(mirror, 'select key, space from resources order by rid')).toEqual([
      { key: 's/a', space: 's' },
      { key: 's/b', space: null },
      { key: 'o/t', space: null },
    ]);
    expect(rowsOf(mirror, 'select count(space) as n from former')).toEqual([{ n: 1 }]);
  });
});
