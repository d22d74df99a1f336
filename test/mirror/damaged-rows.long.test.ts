import { describe, expect, it } from 'vitest';
import { viewKinds } from '../../src/contract/index.ts';
import { seededRandom } from '../../src/base/index.ts';
import {
  checkMirror,
  diffSnapshots,
  readerAt,
  recipes,
  runQuery,
  spotCheck,
  type ListLive,
  type ReadLive,
} from '../../src/mirror/index.ts';
import { reportViews } from '../../src/mirror/views/report-views.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { createReportedMirror } from '../support/reported-world.ts';
import { page, takeSnapshot } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

/** As a bad sector leaves it: its beginning, and no JSON any more. */
const CUT = `update bodies set data = substr(data, 1, 20) where data like '{%'`;
const TEXT = 'A text of many words that is edited by a few of them. '.repeat(20);

/** Three nights with a page that is edited each night; what the first of them had of it is damaged where it is packed. */
async function packedAndDamaged() {
  const made = await createTestMirror();
  for (const night of [1, 2, 3])
    takeSnapshot(made.mirror, ({ see }) => see(page('a', `${TEXT}${night}`, { title: `v${night}`, note: TEXT })));
  made.mirror.store.driver.exec(`update superseded set data = x'00ffffff'`);
  return made;
}

describe('mirror/views, over a row that was damaged', () => {
  it('answer, with what can be known of it, in every view and report of the mirror', async () => {
    using made = await createReportedMirror();
    const { mirror, dataDir } = made;
    const views = [...viewKinds().keys()].flatMap((view) => [view, `${view}_history`]);
    const reports = [...reportViews.map(({ name }) => name), 'pages_search', 'comments_search'];
    const all = [...views, ...reports];
    // Nothing of a row is read to count it whole: in one query for all of them, as each takes longer to begin than to count.
    const count = all.map((view) => `select '${view}', count(*) from ${view}`).join(' union all ');
    const before = [null, 1].map((at) => runQuery(dataDir, count, at).rows);
    const counted = (at: number | null) =>
      all.map((view) => [view, runQuery(dataDir, `select * from ${view}`, at).rows.length]);
    mirror.store.driver.exec(CUT);
    // A change request that no longer says that it is open is not counted as one, nor is what a restore would lose of it.
    const told = ([view]: unknown[]) => view !== 'change_request_changes' && view !== 'what_if_lost';
    expect([counted(null), counted(1)].map((one) => one.filter(told))).toEqual(before.map((one) => one.filter(told)));
    for (const { sql } of recipes) expect(() => runQuery(dataDir, sql, null)).not.toThrow();
    expect([...diffSnapshots(mirror, [1, 2])].map(({ key, label }) => [key, label])).toContainEqual([
      'guide/added',
      'added',
    ]);
  });

  it('answer in plain SQL with the others whole, while check names it', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, ({ see }) => ['a', 'b'].forEach((id) => see(page(id, `Text of ${id}`))));
    mirror.store.driver.exec(`${CUT} and data like '%"b"%'`);
    expect(rowsOf(mirror, 'select id, space, title, markdown, raw from pages order by id')).toMatchObject([
      { id: 'a', space: 's1', title: 'a', markdown: 'Text of a' },
      { id: 'b', space: 's1', title: null, markdown: 'Text of b', raw: '{"id":"b","type":"do' },
    ]);
    const { problems } = await checkMirror(mirror, { readData: true });
    expect(problems).toMatchObject([{ what: 'body', which: expect.stringContaining('(page s1/b') as string }]);
  });

  it('do not keep a look at the platform from the others, and are named by it', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, ({ see }) => ['a', 'b'].forEach((id) => see(page(id, `Text of ${id}`))));
    mirror.store.driver.exec(`${CUT} and data like '%"b"%'`);
    const asked: string[] = [];
    const read: ReadLive = ({ params }) => {
      asked.push(params['pageId'] ?? '');
      return Promise.resolve({ is: 'gone' });
    };
    const list: ListLive = () => Promise.resolve({ is: 'listed', items: [] });
    const found = await spotCheck(mirror, { count: 10, random: seededRandom(1), live: { read, list } });
    expect(asked).toContain('a');
    expect(asked).not.toContain('b');
    expect(found).toMatchObject({ asked: 2, moved: 0, same: 0 });
    expect(found.problems.toSorted((one, other) => one.key.localeCompare(other.key))).toMatchObject([
      { kind: 'page', key: 's1/a', problem: expect.stringContaining('is not found there') },
      { kind: 'page', key: 's1/b', problem: expect.stringContaining('damaged') },
    ]);
  });

  it('answer for an earlier snapshot whose packed text can no longer be unpacked', async () => {
    using made = await packedAndDamaged();
    const { dataDir, mirror } = made;
    expect(runQuery(dataDir, 'select id, title, markdown, raw from pages', 1).rows).toEqual([['a', null, null, null]]);
    const history = 'select title, markdown is null from pages_history order by valid_from';
    expect(runQuery(dataDir, history, null).rows).toEqual([
      [null, 1],
      [null, 1],
      ['v3', 0],
    ]);
    expect([...diffSnapshots(mirror, [3, 1])]).toMatchObject([{ key: 's1/a', label: 'a' }]);
  });

  it('answer where a packed text is said to differ from itself: a query of it never ended, nor did a check', async () => {
    using made = await packedAndDamaged();
    const { dataDir, mirror } = made;
    mirror.store.driver.exec('pragma foreign_keys = off; update superseded set base = bid');
    expect(runQuery(dataDir, 'select markdown is null from pages_history order by valid_from', null).rows).toEqual([
      [1],
      [1],
      [0],
    ]);
    const { problems } = await checkMirror(mirror, { readData: true });
    expect(problems.filter(({ what }) => what === 'body').length).toBeGreaterThan(0);
  });

  it('are not taken for whole by what reads a snapshot to use it', async () => {
    using made = await packedAndDamaged();
    expect(() => readerAt(made.mirror, 1).one('page', 's1/a')).toThrow(
      expect.objectContaining({ code: 'DM_DATABASE_DAMAGED' }) as Error,
    );
  });
});
